"""The pool is not a whole number of pages.

What it says
    max_total_num_tokens is no multiple of the page size in the arguments.

Why it matters
    From 0.4.4 on the pool is rounded down to whole pages: the attention backend changed the page size after the
    dump, or the dump belongs to another start.

Example
    100,001 tokens with page_size=64.

Silent when
    The page is one token, the release is older or open, the MLX backend is used, or the pool is whole pages.

Source
    `ModelRunner.init_memory_pool`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    page = settings.number(launch, "page_size", "tokens")
    if launch.has("mlx_pool") or not launch.release.since("0.4.4") or page.value <= 1:
        raise NotApplicable("this pool is not rounded to pages")
    pool = limits.pool(rank)
    if pool.value % page.value == 0:
        return None
    return compared(
        f"{pool.value:,.0f} tokens are {pool.value / page.value:,.2f} pages of {page.value:.0f}.",
        pool,
        float(pool.value // page.value * page.value),
        "whole pages",
        page.line,
    )
