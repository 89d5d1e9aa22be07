"""Tokens stay in use while nothing runs or waits.

What it says
    Two or more consecutive decode lines have no running and no queued request, and used tokens.

Why it matters
    Aborted requests, sessions or transfers keep slots locked; at the next idle check the server may stop over it.

Example
    #running-req: 0, #token: 1536, #queue-req: 0 twice in a row.

Silent when
    Something runs or waits, prefill and decode are separate servers, or a single line shows it, which happens at a
    boundary.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.disaggregated(rank.launch) or settings.caches_elsewhere(rank.launch):
        raise NotApplicable("prefill and decode are separate servers, or another cache locks slots")
    used = batches.column(rank, "decode_batch", "used_tokens")
    running = batches.column(rank, "decode_batch", "running_requests")
    queued = batches.column(rank, "decode_batch", "queued_requests")
    held = (running == 0) & (queued == 0) & (used > 0)
    twice = np.flatnonzero(held[1:] & held[:-1])
    if not twice.size:
        return None
    row = batches.row(rank, "decode_batch", int(twice[0]) + 1)
    return compared(
        f"{row['used_tokens']:,} tokens are in use while no request runs or waits, on {int(held.sum()):,} decode lines.",
        row.quantity("used_tokens"),
        0.0,
        "nothing runs, so nothing is used",
        batches.ref(rank, "decode_batch", int(twice[0])),
    )
