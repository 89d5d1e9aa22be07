"""The graphs take most of what the fraction leaves.

What it says
    The captures together use more than 0.6 of (1 − fraction) · free memory.

Why it matters
    Little is left for the activations of a prefill. A smaller --cuda-graph-max-bs, or a smaller fraction, leaves
    more.

Example
    8.10 of 11.76 GiB.

Silent when
    A line or the fraction is missing, the MLX backend is used, or the graphs take less.

Source
    `ModelRunner.init_device_graphs`, `cuda_graph_setup.py`.
"""

from __future__ import annotations

from logscope.facts import captures, memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "graph_capture", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    graphs_took = memory.graph_memory(rank)
    reserve = memory.available_before_load(rank).interval * (1 - settings.number(launch, "mem_fraction_static").value)
    if graphs_took.interval.lo <= 0.6 * reserve.hi:
        return None
    return compared(
        f"The captures took {graphs_took.value:.2f} GiB of the {reserve.mid:.2f} GiB that the fraction leaves.",
        graphs_took,
        at_most(0.6 * reserve.hi),
        "0.6 · avail_before_load · (1 − mem_fraction_static)",
        memory.available_before_load(rank).line,
        *[capture.end.ref for capture in captures.captures(rank)][:3],
    )
