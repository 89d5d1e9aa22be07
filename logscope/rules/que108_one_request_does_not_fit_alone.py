"""One request alone does not fit the pool.

What it says
    The server says that the pool is exhausted even after all other requests were retracted.

Why it matters
    The pool is smaller than one request may grow, or slots have leaked. A shorter --context-length, a larger pool
    or an 8-bit KV cache helps; a lower fraction makes it worse.

Example
    Out of memory even after retracting all other requests in the decode batch.

Silent when
    No pool was exhausted, or retraction was enough.

Source
    `ScheduleBatch.retract_decode`; it stops the server up to 0.5.9 and aborts the request later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import lone_requests
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if not launch.has("pool_exhausted", "retraction", "retraction_abort", "failure"):
        raise FactMissing("no pool was exhausted")
    lines = lone_requests.lines(launch)
    if not lines:
        return None
    return Finding(
        message="The pool does not hold one request alone, after all others were retracted.", evidence=(lines[0],)
    )
