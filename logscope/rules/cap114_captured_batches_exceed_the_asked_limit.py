"""Graphs were captured beyond the largest batch that the arguments ask for.

What it says
    The largest captured decode batch is above cuda_graph_max_bs.

Why it matters
    The list of sizes and the dump belong to different starts, or another setting replaced the limit.

Example
    cuda_graph_max_bs=8 and bs [1, 2, 4, 8, 16].

Silent when
    No limit is set, sizes are given one by one, no list is printed, or it keeps the limit.

Source
    `get_batch_sizes_to_capture` (`cuda_graph_runner.py`).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import captures, settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    limit = settings.number(launch, "cuda_graph_max_bs", "requests")
    if settings.set_to(launch, "cuda_graph_bs"):
        raise NotApplicable("the sizes are given one by one")
    line, sizes = captures.captured_sizes(launch)
    if max(sizes) <= limit.value:
        return None
    observed = Quantity.exact("largest_captured_batch", max(sizes), "requests", line=line.ref, rank=line.rank)
    return compared(
        f"Graphs were captured for up to {max(sizes):,} requests, and cuda_graph_max_bs is {limit.value:,.0f}.",
        observed,
        at_most(limit.value),
        "cuda_graph_max_bs",
        limit.line,
    )
