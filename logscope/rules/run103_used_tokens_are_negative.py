"""The used tokens are below zero.

What it says
    A decode line prints a negative number of used tokens.

Why it matters
    Slots were given back twice. The server goes on until its idle check finds the difference; no fraction changes
    it.

Example
    #token: -4224: 264 pages of 16 were freed twice.

Silent when
    No line prints a negative number.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged
from logscope.wording import several

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The line with the lowest number."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    used = batches.column(rank, "decode_batch", "used_tokens")
    below = np.flatnonzero(used < 0)
    if not below.size:
        return None
    row = batches.row(rank, "decode_batch", int(np.argmin(used)))
    return compared(
        f"{row['used_tokens']:,} tokens are in use: slots were freed twice. {several(below.size, 'decode line')} below zero.",
        row.quantity("used_tokens"),
        at_least(0.0),
        "used_tokens ≥ 0",
    )
