"""Prefixes come from a cache that is switched off.

What it says
    disable_radix_cache is set, and prefill lines count cached tokens.

Why it matters
    Without the radix cache nothing can be reused: the arguments are those of another start.

Example
    disable_radix_cache=True beside #cached-token: 512.

Silent when
    The cache is on, another cache (hierarchical, sessions, a prefill server) may hold prefixes, the release is
    older than 0.4.2, or nothing is cached.

Source
    `ChunkCache`; `Scheduler.init_memory_pool_and_cache`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged
from logscope.wording import several

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "prefill_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if not settings.says(launch, "disable_radix_cache"):
        raise NotApplicable("the radix cache is on")
    if settings.disaggregated(launch) or settings.caches_elsewhere(launch):
        raise NotApplicable("another cache may hold prefixes")
    if not launch.release.since("0.4.2"):
        raise NotApplicable("older releases count the chunks of one prompt as cached")
    cached = batches.column(rank, "prefill_batch", "cached_tokens")
    over = np.flatnonzero(cached > 0)
    if not over.size:
        return None
    row = batches.row(rank, "prefill_batch", int(over[0]))
    return compared(
        f"{row['cached_tokens']:,} tokens of a prefill came from a cache, and disable_radix_cache is set: {several(over.size, 'prefill line')}.",
        row.quantity("cached_tokens"),
        0.0,
        "disable_radix_cache: nothing is reused",
        launch.arguments_line,
    )
