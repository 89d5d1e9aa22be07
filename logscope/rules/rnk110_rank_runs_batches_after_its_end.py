"""A rank runs batches after its exception.

What it says
    Decode lines of a rank stand more than ten seconds after the exception that ended its scheduler.

Why it matters
    The process is gone by then: lines of two servers or replicas are mixed.

Example
    Scheduler hit an exception at 12:00:00, Decode batch of the same rank at 12:01:10.

Silent when
    No scheduler ended by an exception, no clock is printed, replicas have no names, or no line follows.

Source
    `run_scheduler_process`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches, between, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import judged
from logscope.wording import several

SEVERITY = "warning"
KIND = "mismatch"
_GRACE_S = 10.0


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "failure", _of)


def _of(rank: Rank) -> Finding | None:
    ends = [
        row
        for row in rank.rows("failure")
        if row.get("process") == "scheduler" or "cheduler" in str(row.get("process", ""))
    ]
    if not ends or (settings.size(rank.launch, "dp_size") > 1 and "DP" not in rank.name):
        raise FactMissing(f"no scheduler of {rank.name} ended by an exception")
    times = batches.times(rank, "decode_batch")
    lines = between.lines(rank, "decode_batch")
    late = np.flatnonzero((times > ends[0].time + _GRACE_S) & (lines > ends[0].ref.line))
    if not late.size:
        return None
    row = batches.row(rank, "decode_batch", int(late[0]))
    return Finding(
        message=f"{rank.name} prints {several(late.size, 'decode line')} more than {_GRACE_S:.0f} s after its scheduler ended.",
        evidence=(ends[0].ref, row.ref),
        rank=rank.name,
    )
