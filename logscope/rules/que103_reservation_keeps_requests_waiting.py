"""Requests wait for tokens that are reserved and never used.

What it says
    Ten or more decode lines have a queue, fewer running requests than may, and a pool between half and nine tenths
    full; nothing was ever retracted.

Why it matters
    The scheduler reserves a share of max_new_tokens for every running request. A lower --schedule-conservativeness
    admits more; the fraction is not at fault.

Example
    token usage: 0.62, #queue-req: 40, no retraction in the log.

Silent when
    Something was retracted, the pool is fuller or emptier, prefill and decode are separate servers, or fewer lines
    show it.

Source
    `PrefillAdder.rem_total_tokens`, `new_token_ratio`.
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


def check(launch: Launch) -> Finding | None:
    """The longest queue of these lines."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if settings.disaggregated(launch) or launch.has("retraction"):
        raise NotApplicable("requests were retracted, or come from another server")
    most = limits.running(rank)
    queued = batches.column(rank, "decode_batch", "queued_requests")
    running = batches.column(rank, "decode_batch", "running_requests")
    usage = batches.usage(rank)
    held = (queued > 0) & (running < most.value) & (usage >= 0.5) & (usage <= 0.9)
    if held.sum() < 10:
        return None
    place = int(np.argmax(np.where(held, queued, -1)))
    row = batches.row(rank, "decode_batch", place)
    return Finding(
        message=f"{row['queued_requests']:,} requests wait at {usage[place]:.2f} of the pool, nothing was ever retracted, on {int(held.sum()):,} decode lines: the rest is reserved.",
        evidence=tuple(line for line in (row.ref, most.line) if line),
        rank=row.rank,
    )
