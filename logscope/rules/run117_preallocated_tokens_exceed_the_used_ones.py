"""The pre-allocated tokens exceed the used ones that hold them.

What it says
    pre-allocated usage is larger than token usage, which contains it.

Why it matters
    Tokens of requests in transfer are part of the used tokens: the two must not be added, and the larger one cannot
    be the part.

Example
    token usage 0.20 beside pre-allocated usage 0.60.

Silent when
    Not a decode server, or the part stays within the whole (give or take 0.02).

Source
    `SchedulerDisaggregationDecodeMixin`; `log_decode_stats`, 0.4.6 and later.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches, limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    part = batches.column(rank, "decode_batch", "preallocated_usage_share")
    whole = batches.column(rank, "decode_batch", "token_usage_share")
    over = np.flatnonzero(part > whole + 0.02)
    if not over.size:
        return None
    row = batches.row(rank, "decode_batch", int(over[0]))
    return compared(
        f"pre-allocated usage {row['preallocated_usage_share']:.2f} is larger than token usage {row['token_usage_share']:.2f}, of which it is a part.",
        row.quantity("preallocated_usage_share"),
        at_most(row.quantity("token_usage_share").interval.hi + 0.02),
        "pre-allocated usage ≤ token usage",
    )
