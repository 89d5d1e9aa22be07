"""The server reduced max_running_requests.

What it says
    It said that what was asked for does not fit the pool or the state slots.

Why it matters
    Fewer requests run at once than were asked for; more pool, or more state slots, is the cure where that matters.

Example
    max_running_requests was reduced from the requested 256 to 48.

Silent when
    The server did not say so.

Source
    `mem_cache/kv_cache_configurator.py`, 0.5.14 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if not launch.has("capacity", "limit_notice"):
        raise FactMissing("the start is not in the log")
    rows = [row for row in launch.rows("limit_notice") if row.get("kind") in ("reduced", "capped")]
    if not rows:
        return None
    row = rows[0]
    asked = row.get("requested_requests", launch.arguments.get("max_running_requests"))
    wanted = float(asked) if isinstance(asked, int) else row["max_running_requests"] + 1.0
    return compared(
        f"max_running_requests was reduced to {row['max_running_requests']:,} for the {row.get('reason', 'pool')}.",
        row.quantity("max_running_requests"),
        at_least(wanted),
        "what was asked for",
    )
