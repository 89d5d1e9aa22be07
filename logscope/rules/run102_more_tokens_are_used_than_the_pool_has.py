"""More tokens are in use than the pool has.

What it says
    The used tokens of a decode line exceed the pool of the rank.

Why it matters
    A slot holds one token. The line belongs to another start or rank, or the line of one pool prints the tokens of
    another.

Example
    21,000 used tokens in a pool of 20,000.

Silent when
    Every line stays within the pool, the model has several pools, or no capacity line is in the log.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches, limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, contradiction, judged

SEVERITY = "error"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    pool = limits.pool(rank)
    used = batches.column(rank, "decode_batch", "used_tokens")
    over = np.flatnonzero(used > pool.value)
    if not over.size:
        return None
    row = batches.row(rank, "decode_batch", int(over[0]))
    return contradiction(
        f"{row['used_tokens']:,} tokens are in use and the pool has {pool.value:,.0f}: {over.size:,} of {len(used):,} decode lines.",
        row.quantity("used_tokens"),
        at_most(pool.value),
        "used_tokens ≤ max_total_num_tokens",
        pool.line,
    )
