"""The lines of a capture do not balance.

What it says
    free before − free after a capture of graphs differs from the printed usage by more than rounding.

Why it matters
    The three numbers come from two readings: lines of two captures or ranks are paired, or a number was edited.

Example
    10.30 GB before, 9.10 GB after, mem usage 2.20 GB.

Silent when
    No capture prints its memory, another begin stands between, or the lines balance.

Source
    `ModelRunner.init_device_graphs`, `cuda_graph_setup.py`.
"""

from __future__ import annotations

from logscope.facts import captures
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import contradiction, judged

SEVERITY = "error"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "graph_capture", _of)


def _of(rank: Rank) -> Finding | None:
    for capture in captures.captures(rank):
        before, after = capture.begin.quantity("avail_mem_gib"), capture.end.quantity("avail_mem_gib")
        printed = capture.end.quantity("mem_usage_gib")
        used = before.interval - after.interval
        if printed.interval.disjoint(used):
            return contradiction(
                f"A capture took {printed.value:.2f} GiB by its own line, and {used.mid:.2f} GiB by the free memory before and after it.",
                printed,
                used,
                "avail mem (begin) − avail mem (end)",
                capture.begin.ref,
            )
    return None
