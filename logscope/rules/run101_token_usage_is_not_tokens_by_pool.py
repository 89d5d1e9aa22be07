"""The token usage is not the used tokens divided by the pool.

What it says
    used tokens ÷ max_total_num_tokens and the printed usage lie further apart than rounding to two decimals allows.

Why it matters
    Both stand on one line and are divided by the pool of the same rank: the pool belongs to another start, another
    rank, or was sized again after the capture.

Example
    16,095 tokens of a pool of 312,581 print as 0.05; with 0.10 the pool would hold about 161,000.

Silent when
    The model has several pools, the rank printed no pool or two different ones, or the share fits within 0.0051.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches, limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import contradiction, judged

SEVERITY = "error"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    pool = limits.pool(rank)
    used = batches.column(rank, "decode_batch", "used_tokens")
    shown = batches.column(rank, "decode_batch", "token_usage_share")
    apart = np.flatnonzero(np.abs(shown - used / pool.value) > 0.0051)
    if not apart.size:
        return None
    row = batches.row(rank, "decode_batch", int(apart[0]))
    share = row.quantity("used_tokens").interval / pool.interval
    return contradiction(
        f"{row['used_tokens']:,} of {pool.value:,.0f} tokens are {share.mid:.4f} of the pool, and the line prints {row['token_usage_share']:.2f}: {apart.size:,} of {len(used):,} decode lines disagree.",
        row.quantity("token_usage_share"),
        share,
        "used_tokens ÷ max_total_num_tokens",
        pool.line,
    )
