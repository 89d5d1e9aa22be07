"""Batches run beyond the largest captured graph.

What it says
    Decode lines above the largest captured batch ran without a graph, those below with one.

Why it matters
    Without a graph a step costs the launch of every kernel. --cuda-graph-max-bs covers more, and takes memory
    beside the pool.

Example
    148 running requests at a largest graph of 128.

Silent when
    No line prints whether it ran in a graph, or all batches fit.

Source
    `CudaGraphRunner.can_run`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import batches, graphs
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared
from logscope.wording import several

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if not launch.has("decode_batch"):
        raise FactMissing("there is no decode line")
    flags = batches.column(launch, "decode_batch", "graph")
    if not (flags == 0).any():
        return None
    found = graphs.ceiling(launch)
    observed = Quantity.exact("running_requests", found.running, "requests", line=found.line)
    return compared(
        f"{several(found.beyond, 'decode line')} with more than {found.largest:,} running requests ran without a graph ({found.how}).",
        observed,
        at_most(float(found.largest)),
        "largest captured batch",
        *found.capture,
    )
