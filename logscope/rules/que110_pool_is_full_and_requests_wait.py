"""The pool is full and requests wait.

What it says
    On three or more decode lines the pool is 98 % used and requests wait, with no retraction.

Why it matters
    A saturated server, not a broken one. Only here a slightly larger fraction adds concurrency, where the memory
    beside the pool allows it.

Example
    token usage: 0.99, #queue-req: 12.

Silent when
    The pool has room, nothing waits, or requests were retracted.

Source
    `Scheduler.get_new_batch_prefill`, `PrefillAdder`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The longest queue of these lines."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    if rank.launch.has("retraction"):
        raise NotApplicable("requests were retracted")
    queued = batches.column(rank, "decode_batch", "queued_requests")
    usage = batches.usage(rank)
    full = (usage >= 0.98) & (queued > 0)
    if full.sum() < 3:
        return None
    place = int(np.argmax(np.where(full, queued, -1)))
    row = batches.row(rank, "decode_batch", place)
    return Finding(
        message=f"{row['queued_requests']:,} requests wait at {usage[place]:.2f} of the pool, on {int(full.sum()):,} decode lines.",
        evidence=(row.ref,),
        rank=row.rank,
    )
