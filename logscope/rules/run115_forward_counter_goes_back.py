"""The counter of forwards goes back within one launch.

What it says
    The number in brackets of the decode lines of one rank does not rise.

Why it matters
    It counts the forwards of one process. Lines of two processes are mixed, or a restart is hidden inside the
    launch.

Example
    Decode batch [4200] followed by Decode batch [40].

Silent when
    No line prints the counter, or it rises.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    numbers = batches.column(rank, "decode_batch", "iteration")
    known = np.flatnonzero(np.isfinite(numbers))
    back = np.flatnonzero(np.diff(numbers[known]) < 0)
    if not back.size:
        return None
    place, before = int(known[back[0] + 1]), int(known[back[0]])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"The counter of forwards goes from {numbers[before]:,.0f} to {numbers[place]:,.0f}: these lines belong to two processes.",
        row.quantity("iteration"),
        at_least(float(numbers[before])),
        "one more for each forward",
        batches.ref(rank, "decode_batch", before),
    )
