"""Requests wait at max_running_requests beside a pool that is half empty.

What it says
    On three or more decode lines requests wait, the limit is reached, and less than half of the pool is used.

Why it matters
    The number of requests is the limiter. --max-running-requests raises it; the fraction does not.

Example
    #running-req: 64 of 64, #queue-req: 300, token usage: 0.21.

Silent when
    The pool is more than half used, the limit is not reached, or nothing waits.

Source
    `Scheduler.get_new_batch_prefill`, `PrefillAdder`.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches, limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The longest queue at the limit."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    most = limits.running(rank)
    queued = batches.column(rank, "decode_batch", "queued_requests")
    running = batches.column(rank, "decode_batch", "running_requests")
    held = (queued > 0) & (running >= most.value) & (batches.usage(rank) < 0.5)
    if held.sum() < 3:
        return None
    row = batches.row(rank, "decode_batch", int(np.argmax(np.where(held, queued, -1))))
    return Finding(
        message=f"{row['queued_requests']:,} requests wait while {row['running_requests']:,} of {most.value:,.0f} run, and less than half of the pool is used, on {int(held.sum()):,} decode lines.",
        evidence=tuple(line for line in (row.ref, most.line) if line),
        rank=row.rank,
    )
