"""A cache hit rate lies outside 0 to 100 %.

What it says
    The printed cache hit rate is negative or above 100 %.

Why it matters
    It is a share of tokens. The line was edited or belongs to another build.

Example
    cache hit rate: 104.20%.

Silent when
    Newer releases print no rate, or all rates lie within.

Source
    `log_prefill_stats` up to 0.4.3.
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
    return judged(launch, "prefill_batch", _of)


def _of(rank: Rank) -> Finding | None:
    rate = batches.column(rank, "prefill_batch", "cache_hit_rate_percent")
    bad = np.flatnonzero((rate < 0) | (rate > 100.005))
    if not bad.size:
        return None
    row = batches.row(rank, "prefill_batch", int(bad[0]))
    return compared(
        f"A cache hit rate of {row['cache_hit_rate_percent']:.2f} % is no share of the tokens.",
        row.quantity("cache_hit_rate_percent"),
        Interval(0.0, 100.0),
        "a share of tokens",
    )
