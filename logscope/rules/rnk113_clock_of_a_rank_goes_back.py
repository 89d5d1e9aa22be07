"""The clock of a rank goes back.

What it says
    A batch line of a rank is more than two seconds older than the one before it.

Why it matters
    Files are joined in the wrong order, lines of two servers are mixed, or the clock was set. Intervals across it
    mean nothing.

Example
    12:00:40, then 11:58:02.

Silent when
    No clock is printed, or it only goes on.

Source
    The time in SGLang's prefix has whole seconds.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    times = batches.times(rank, "decode_batch")
    known = np.flatnonzero(np.isfinite(times))
    back = np.flatnonzero(np.diff(times[known]) < -2)
    if not back.size or len(rank.launch.pieces) > 1:
        return None
    place, before = int(known[back[0] + 1]), int(known[back[0]])
    row = batches.row(rank, "decode_batch", place)
    return Finding(
        message=f"A decode line is {times[before] - times[place]:,.0f} s older than the one before it, and {back.size:,} of {known.size:,} are so.",
        evidence=(batches.ref(rank, "decode_batch", before), row.ref),
        rank=rank.name,
    )
