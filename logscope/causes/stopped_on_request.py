"""A clean shutdown: somebody asked the server to stop, and it did.

What it is
    SIGTERM or SIGINT from outside, an orderly end.

How to tell
    `Gracefully exiting…`, `SIGTERM received… Draining`, or uvicorn's shutdown lines, with no failure before them. Up to
    0.5.15 the launcher then kills its own tree, so exit code 137 is normal.

Not to be taken for
    `host_killed_process`: a kill from outside leaves no orderly line. A failure whose handler also shuts down.

What to do
    Nothing. If nobody asked for it, look at what sent the signal: the orchestrator's events, a liveness probe.

Source
    `TokenizerManager.sigterm_watchdog` (`managers/tokenizer_manager.py`), uvicorn `server.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.states import stop_line
from logscope.finding import Hypothesis, Way

WAY: Way = "leave"
TITLE = "The server was asked to stop"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """An orderly end with no failure before it."""
    line = stop_line(case.launch)
    if case.state != "stopped" or line is None:
        return
    left = [
        row["remaining_requests"] for row in case.launch.rows("shutdown") if row.get("remaining_requests") is not None
    ]
    told = f", with {left[0]} requests still running" if left and left[0] else ""
    yield Hypothesis(
        cause="stopped_on_request",
        weight=0.5,
        sentence=f"The server was asked to stop and shut down in order{told}; no failure stands before it.",
        evidence=(line,),
        confidence="certain",
        fraction=WAY,
        at=line,
    )
