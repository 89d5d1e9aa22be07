"""The accept rate is no share.

What it says
    accept rate lies outside 0 to 1.

Why it matters
    It is accepted ÷ proposed tokens; the line was edited or belongs to another build.

Example
    accept rate: 1.30.

Silent when
    No line prints a rate, or all lie between 0 and 1.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    rate = batches.column(rank, "decode_batch", "accept_rate_share")
    out = np.flatnonzero((rate < 0) | (rate > 1.0051))
    if not out.size:
        return None
    row = batches.row(rank, "decode_batch", int(out[0]))
    return compared(
        f"accept rate {row['accept_rate_share']:.2f} is no share of the proposed tokens.",
        row.quantity("accept_rate_share"),
        Interval(0.0, 1.0),
        "accepted ÷ proposed tokens",
    )
