"""A clean shutdown: somebody asked the server to stop, and it did.

What it is
    SIGTERM or SIGINT from outside, an orderly end.

How to tell
    `Gracefully exiting…`, `SIGTERM received… Draining`, or uvicorn's shutdown lines, with no failure before them. Up to
    0.5.15 the launcher then kills its own tree, so exit code 137 is normal. Or the line of a batch system or an
    orchestrator that ends a server in which nothing failed.

Not to be taken for
    `host_killed_process`: a kill from outside leaves no orderly line. A failure whose handler also shuts down.

What to do
    Nothing. If nobody asked for it, look at what sent the signal: the orchestrator's events, a liveness probe.

Source
    `TokenizerManager.sigterm_watchdog` (`managers/tokenizer_manager.py`), uvicorn `server.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logscope.case import Case
from logscope.facts.asked import Asked, asked
from logscope.facts.states import stop_line
from logscope.finding import Action, Hypothesis, Way
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The server was asked to stop"
_ACTIONS = {
    "limit": Action(
        do="Ask the batch system for a longer time limit, or let it restart the job.",
        why="It ends every job at its limit, whatever the job does.",
        verify="The log of the next job goes on beyond the same age.",
    ),
    "probe": Action(
        do="Give a start a startupProbe that outlasts loading and capture, and the liveness probe more failures than the longest prefill or compile.",
        why="The kubelet ends a server that does not answer its probe, busy or not.",
        verify="`kubectl describe pod` shows no further restart, and the server prints that it is ready.",
    ),
}


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """An orderly end with no failure before it, or the word of whoever ended a server in which nothing failed."""
    line, told = stop_line(case.launch), asked(case.launch)
    if case.state == "stopped" and line is not None:
        orderly = case.launch.has("shutdown") or any(
            f.get("event") == "shutting_down" for f in case.launch.rows("uvicorn")
        )
        how = f" and shut down in order{_left(case)}" if orderly else ""
        yield _made(line, told, f"was asked to stop{_by(told)}{how}", certain=orderly)
    elif told and case.state in ("ready", "starting", "unknown") and not case.originators:
        yield _made(told[0].ref, told, f"was ended{_by(told)}", certain=False)


def _made(line: LineRef, told: Sequence[Asked], what: str, *, certain: bool) -> Hypothesis:
    return Hypothesis(
        cause="stopped_on_request",
        weight=0.5,
        sentence=f"The server {what}; no failure stands before it.",
        evidence=tuple(dict.fromkeys((line, *(one.ref for one in told[:2])))),
        confidence="certain" if certain else "likely",
        fraction=WAY,
        actions=tuple(_ACTIONS[one.kind] for one in told[:1] if one.kind in _ACTIONS),
        at=line,
    )


def _by(told: Sequence[Asked]) -> str:
    return f" by {told[0].who}" if told else ""


def _left(case: Case) -> str:
    left = [row["remaining_requests"] for row in case.launch.rows("shutdown") if row.get("remaining_requests")]
    return f", with {left[0]} requests still running" if left else ""
