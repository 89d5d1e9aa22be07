"""The running requests hold more tokens than their contexts allow.

What it says
    used tokens > running · (context + page + draft tokens) + one chunk.

Why it matters
    A request cannot be longer than the context. The rest is held by nobody who runs: leaked or locked tokens, or a
    line of another replica.

Example
    2 requests of a context of 2,048 hold 19,000 tokens.

Silent when
    Nothing runs, prefill and decode are separate servers, sessions are in use, the model has several pools, or the
    tokens fit.

Source
    `ScheduleBatch`, `ReqToTokenPool`; measured on real logs: no healthy line exceeds it.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "warning"
KIND = "mismatch"
_CHUNK = 16384


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    if settings.disaggregated(rank.launch) or settings.caches_elsewhere(rank.launch):
        raise NotApplicable("prefill and decode are separate servers, or another cache locks slots")
    context = limits.context(rank)
    used = batches.column(rank, "decode_batch", "used_tokens")
    running = batches.column(rank, "decode_batch", "running_requests")
    chunk = max(
        [row["chunked_prefill_size"] for row in rank.rows("capacity") if row.get("chunked_prefill_size")] or [0]
    )
    room = context.value + limits.page(rank.launch) + settings.size(rank.launch, "speculative_num_draft_tokens")
    most = running * room + max(chunk, settings.size(rank.launch, "max_prefill_tokens"), _CHUNK)
    over = np.flatnonzero((used > most) & (running > 0))
    if not over.size:
        return None
    place = int(over[0])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"{row['running_requests']:,} running requests hold {row['used_tokens']:,} tokens, and a context has {context.value:,.0f}: at least {used[place] - most[place]:,.0f} belong to no request that runs.",
        row.quantity("used_tokens"),
        at_most(float(most[place])),
        "running · (context + page + draft tokens) + one prefill",
        context.line,
    )
