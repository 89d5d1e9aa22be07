"""Requests were refused because the queue was full.

What it says
    The server answered that its request queue is full.

Why it matters
    --max-queued-requests is an admission limit. It protects latency; memory plays no part in it.

Example
    The request queue is full.

Silent when
    The text is not in the log.

Source
    `Scheduler._add_request_to_queue`, 0.4.9.post6 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.wording import several

SEVERITY = "note"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if not launch.has("request_refused"):
        raise FactMissing("no request was refused")
    rows = [row for row in launch.rows("request_refused") if row.get("kind") == "queue_full"]
    if not rows:
        return None
    return Finding(
        message=f"{several(sum(row.stands_for for row in rows), 'refusal')} by a full queue: an admission limit, not a lack of memory.",
        evidence=(rows[0].ref,),
    )
