"""The largest captured batch, and decode lines beyond it that ran without a graph.

Source: `CudaGraphRunner.can_run`; the capture list; the graph flag of decode lines (0.4.6.post4 and later).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.launch import Launch
from logscope.quantity import LineRef


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The ceiling in running requests, where it is known from, the first line beyond it, how many lines are beyond."""

    largest: int
    how: str
    line: LineRef
    running: int
    beyond: int
    capture: tuple[LineRef, ...]


def ceiling(launch: Launch) -> Ceiling:
    """Decode lines without a graph above the largest captured batch; raises FactMissing when none are."""
    running = batches.column(launch, "decode_batch", "running_requests")
    rows = launch.table("decode_batch")
    if "graph" not in rows.column_names or rows["graph"].null_count == rows.num_rows:
        raise FactMissing("no decode line prints whether it ran in a graph")
    flags = np.asarray(rows["graph"].cast(pa.float64()).to_numpy(zero_copy_only=False))
    largest, how, capture = _largest(launch, running, flags)
    beyond = np.flatnonzero((running > largest) & (flags == 0))
    within = (running <= largest) & (flags == 1)
    if not len(beyond) or not within.any():
        raise FactMissing("the graph flag does not change with the number of running requests")
    place = int(beyond[0])
    return Ceiling(largest, how, batches.ref(launch, "decode_batch", place), int(running[place]), len(beyond), capture)


def _largest(launch: Launch, running: batches.Array, flags: batches.Array) -> tuple[int, str, tuple[LineRef, ...]]:
    for row in reversed(launch.rows("graph_capture")):
        sizes = [int(size) for size in re.findall(r"\d+", str(row.get("batch_sizes", "")))]
        if sizes and row.get("worker", "target") == "target" and row.get("stage", "decode") in ("decode", "verify"):
            return max(sizes), "the printed list of captured batch sizes", (row.ref,)
    known = np.isfinite(running)
    with_graph, without = running[known & (flags == 1)], running[known & (flags == 0)]
    if len(with_graph) and len(without) and np.nanmax(with_graph) < np.nanmin(without):
        return int(np.nanmax(with_graph)), "the flag flips there", ()
    raise FactMissing("the log does not show the largest captured batch")
