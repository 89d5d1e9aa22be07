"""Requests wait although the pool and the limit have room.

What it says
    On three or more decode lines requests wait, fewer run than may, and the pool would hold another request even
    with the largest reservation.

Why it matters
    Neither the pool nor max_running_requests is the limiter: look at chunked prefill, grammar compilation,
    adapters, state slots or a delay of prefill. A larger fraction does nothing.

Example
    #queue-req: 12 with 8 of 256 running and 0.04 of a pool of 400,000 in use.

Silent when
    The pool may be the limiter, the model has several pools, prefill and decode are separate servers, or nothing
    waits.

Source
    `Scheduler.get_new_batch_prefill`, `PrefillAdder`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import judged

SEVERITY = "note"
KIND = "smell"
_CLIP = 4096


def check(launch: Launch) -> Finding | None:
    """The longest queue of these lines."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    if settings.disaggregated(rank.launch):
        raise NotApplicable("prefill and decode are separate servers")
    pool, most = limits.pool(rank), limits.running(rank)
    queued = batches.column(rank, "decode_batch", "queued_requests")
    running = batches.column(rank, "decode_batch", "running_requests")
    used = batches.column(rank, "decode_batch", "used_tokens")
    reserved = used + running * _CLIP + _CLIP + limits.context(rank).value
    idle = (queued > 0) & (running < most.value) & (reserved < pool.value)
    if idle.sum() < 3:
        return None
    row = batches.row(rank, "decode_batch", int(np.argmax(np.where(idle, queued, -1))))
    return Finding(
        message=f"{row['queued_requests']:,} requests wait on {int(idle.sum()):,} decode lines while {row['running_requests']:,} of {most.value:,.0f} run and {row['used_tokens']:,} of {pool.value:,.0f} tokens are in use: neither limit is reached.",
        evidence=tuple(line for line in (row.ref, pool.line) if line),
        rank=row.rank,
    )
