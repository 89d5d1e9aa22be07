"""More requests run than max_running_requests allows.

What it says
    A decode line of a rank shows more running requests than its own capacity line permits.

Why it matters
    Admission stops at that number. The capacity line belongs to another start or replica, or the limit was changed
    while the server ran.

Example
    130 running requests at a limit of 128.

Silent when
    The rank printed no capacity line of its own, prefill and decode are separate servers, or every line keeps the
    limit.

Source
    `Scheduler.get_new_batch_prefill`; `ModelRunner.max_running_requests`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, contradiction, judged

SEVERITY = "error"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.disaggregated(rank.launch):
        raise NotApplicable("prefill and decode are separate servers")
    most = limits.running(rank)
    running = batches.column(rank, "decode_batch", "running_requests")
    over = np.flatnonzero(running > most.value)
    if not over.size:
        return None
    row = batches.row(rank, "decode_batch", int(over[0]))
    return contradiction(
        f"{row['running_requests']:,} requests run and {most.value:,.0f} may: {over.size:,} of {len(running):,} decode lines.",
        row.quantity("running_requests"),
        at_most(most.value),
        "running_requests ≤ max_running_requests",
        most.line,
    )
