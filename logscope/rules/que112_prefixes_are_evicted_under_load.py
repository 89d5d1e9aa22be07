"""Prefixes are evicted under load.

What it says
    While less than half of the pool was used a fifth or more of the prompts came from the cache; at nine tenths or
    more almost nothing does.

Why it matters
    The cache is what running requests leave of the pool. A larger pool or a hierarchical cache brings the prefixes
    back.

Example
    40 % cached at a usage of 0.30, 0 % at 0.95.

Silent when
    Fewer than ten prefills on either side, or the share keeps.

Source
    `RadixCache.evict`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"
_LEAST = 10


def check(launch: Launch) -> Finding | None:
    """The two shares."""
    return judged(launch, "prefill_batch", _of)


def _of(rank: Rank) -> Finding | None:
    used = batches.column(rank, "prefill_batch", "token_usage_share")
    new = batches.column(rank, "prefill_batch", "new_tokens")
    cached = batches.column(rank, "prefill_batch", "cached_tokens")
    low, high = used < 0.5, used >= 0.9
    if low.sum() < _LEAST or high.sum() < _LEAST:
        raise FactMissing(f"fewer than {_LEAST} prefills at a low and at a high usage")
    before = float(cached[low].sum() / max((cached + new)[low].sum(), 1.0))
    after = float(cached[high].sum() / max((cached + new)[high].sum(), 1.0))
    if before < 0.2 or after > 0.02:
        return None
    row = batches.row(rank, "prefill_batch", int(np.flatnonzero(high)[0]))
    observed = Quantity("cached_share", after, Interval.exact(after), "share", row.ref, "computed", rank.name)
    return compared(
        f"{100 * before:.0f} % of the prompts came from the cache below half of the pool, {100 * after:.0f} % at nine tenths and more: the load evicts the prefixes.",
        observed,
        at_least(before),
        "cached share of the prefills below half of the pool",
    )
