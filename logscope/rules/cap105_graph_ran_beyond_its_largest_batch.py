"""A batch beyond the largest captured one ran in a graph.

What it says
    A decode line says that it ran in a graph with more running requests than the captured sizes go.

Why it matters
    There is no graph for it: the line or the list belongs to another rank or start.

Example
    bs [1, 2, 4, 8] and #running-req: 20 with cuda graph: True.

Silent when
    No list of sizes or no flag is printed, or every such batch ran without.

Source
    `CudaGraphRunner.can_run`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, captures, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.set_to(rank.launch, "enable_two_batch_overlap") or settings.set_to(rank.launch, "enable_pdmux"):
        raise NotApplicable("a batch is split over several graphs")
    line, sizes = captures.captured_sizes(rank.launch)
    running = batches.column(rank, "decode_batch", "running_requests")
    flags = batches.column(rank, "decode_batch", "graph")
    over = np.flatnonzero((running > max(sizes)) & (flags == 1))
    if not over.size:
        return None
    row = batches.row(rank, "decode_batch", int(over[0]))
    return compared(
        f"{row['running_requests']:,} requests ran in a graph, and the largest captured batch is {max(sizes):,}.",
        row.quantity("running_requests"),
        at_most(float(max(sizes))),
        "largest captured batch",
        line.ref,
    )
