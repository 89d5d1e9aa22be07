"""Requests are retracted again and again.

What it says
    Three or more retractions within a minute, or one of more than a fifth of the running requests.

Why it matters
    What they had computed is lost and computed again. A higher --schedule-conservativeness, fewer running requests
    or a larger pool help; a lower fraction makes it worse.

Example
    Four lines `KV cache pool is full` within 20 s.

Silent when
    Fewer retractions, or none.

Source
    `Scheduler.update_running_batch`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.phases import time_of
from logscope.facts.retractions import distinct
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = distinct(launch)
    if not rows:
        raise FactMissing("no request was retracted")
    times = [time for row in rows if (time := time_of(row)) is not None]
    storm = [k for k in range(len(times) - 2) if times[k + 2] - times[k] <= 60]
    if not storm:
        return None
    total = sum(row["retracted_requests"] for row in rows)
    observed = Quantity.exact("retractions", len(rows), "retractions", line=rows[storm[0]].ref, rank=rows[0].rank)
    return compared(
        f"{len(rows)} retractions, three of them within a minute: {total:,} requests were computed again.",
        observed,
        at_most(2.0),
        "fewer than three within a minute",
        rows[-1].ref,
    )
