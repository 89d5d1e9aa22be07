"""A process was killed without an exception before it.

What it says
    A child ended with signal 9 (exit code -9 or 137), and no exception of its own stands before.

Why it matters
    The system or the container ended it, most often for main memory. On a discrete device the fraction does not
    touch that memory; on a CPU or on shared memory it is the same.

Example
    Subprocess scheduler_0 crashed with exit code -9.

Silent when
    No child ended, another code, a stop was asked for, or an exception stands before.

Source
    `SubprocessWatchdog`, `launch_server`; the kernel's out-of-memory killer.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.failures import failures
from logscope.facts.states import stop_line
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("process_exit") if row.get("exit_code") is not None]
    if not rows:
        raise FactMissing("no exit code of a child is printed")
    killed = [row for row in rows if row["exit_code"] in (-9, 137, 9)]
    stop = stop_line(launch)
    if stop and killed and stop < killed[0].ref:
        return None
    first = [
        f for f in failures(launch) if f.kind not in ("process_exit", "signal") and not f.follows and not f.survived
    ]
    if not killed or any(f.ref < killed[0].ref for f in first):
        return None
    return Finding(
        message=f"A child ended with exit code {killed[0]['exit_code']} and no exception before it: the system or the container ended it.",
        evidence=(killed[0].ref,),
        rank=killed[0].rank,
    )
