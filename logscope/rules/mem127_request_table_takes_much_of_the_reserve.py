"""The request table takes a quarter or more of what the fraction leaves.

What it says
    (max_running_requests + 1) · (context + 4) · 4 bytes exceed a quarter of (1 − fraction) · free memory.

Why it matters
    The table is allocated beside the static budget: a larger fraction makes it worse. A smaller
    --max-running-requests or --context-length makes it smaller.

Example
    2048 requests of a context of 10 million tokens take 80 GiB.

Silent when
    A number is missing, the MLX backend is used, or the table is smaller.

Source
    `ReqToTokenPool.__init__`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import limits, memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if launch.has("mlx_pool"):
        raise NotApplicable("the MLX backend keeps its table elsewhere")
    most, context = limits.running(rank), limits.context(rank)
    reserve = memory.available_before_load(rank).interval * (1 - settings.number(launch, "mem_fraction_static").value)
    size = (most.value + 1) * (context.value + 4) * 4 / 2**30
    if size <= 0.25 * reserve.hi:
        return None
    observed = Quantity("request_table", size, Interval.exact(size), "GiB", most.line, "computed", rank.name)
    return compared(
        f"The table of {most.value:,.0f} requests of {context.value:,.0f} tokens takes {size:.2f} GiB of the {reserve.mid:.2f} GiB that the fraction leaves.",
        observed,
        at_most(0.25 * reserve.hi),
        "a quarter of avail_before_load · (1 − mem_fraction_static)",
        memory.available_before_load(rank).line,
    )
