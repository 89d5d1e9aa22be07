"""The pool holds fewer tokens than the context.

What it says
    max_total_num_tokens is below context_len.

Why it matters
    One request of full length cannot fit: longer inputs are refused at pool − 6. A shorter --context-length tells
    clients so; a larger pool, or an 8-bit cache, removes it.

Example
    159,000 tokens for a context of 262,144.

Silent when
    No capacity line, or the pool is longer.

Source
    `Scheduler.__init__`; 0.5.23 warns of it.
"""

from __future__ import annotations

from logscope.facts import limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    pool, context = limits.pool(rank), limits.context(rank)
    if pool.value >= context.value:
        return None
    return compared(
        f"The pool holds {pool.value:,.0f} tokens and the context is {context.value:,.0f}: inputs above {pool.value - 6:,.0f} tokens are refused.",
        pool,
        at_least(context.value),
        "context_len",
    )
