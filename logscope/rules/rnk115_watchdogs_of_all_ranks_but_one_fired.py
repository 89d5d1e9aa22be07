"""The watchdogs of all ranks but one fired.

What it says
    Half or more of the tensor-parallel ranks report a timeout, and one rank that printed lines before does not.

Why it matters
    The others wait for it in a collective: it is the one that hangs or died, and its own lines tell why.

Example
    TP0, TP1 and TP3 time out, TP2 says nothing.

Silent when
    No watchdog fired, all ranks report, or fewer than half do.

Source
    `Scheduler.watchdog_thread`; `stack_dump` lines.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("watchdog") if row.get("kind") == "timeout"]
    fired = {row.rank for row in rows if "TP" in row.rank}
    if not fired:
        raise FactMissing("no watchdog of a rank fired")
    known = {name for name in launch.ranks if "TP" in name}
    silent = sorted(known - fired)
    if len(silent) != 1 or len(fired) < 2 or 2 * len(fired) < settings.size(launch, "tp_size"):
        return None
    return Finding(
        message=f"The watchdogs of {len(fired)} ranks fired and that of {silent[0]} did not: it is the one the others wait for.",
        evidence=(rows[0].ref,),
        rank=silent[0],
    )
