"""A follower: another process died first, and its log is not here.

What it is
    This log shows only consequences: a closed connection, a signal, an exit code, "another rank".

How to tell
    Every failure in the launch is a follower; no exception of its own stands before them.

Not to be taken for
    `host_killed_process`, where an exit by signal 9 without any exception says who killed it. `server_defect`: an
    exception of the server's own that stands earlier on another rank.

What to do
    Get the logs of all ranks and nodes and look for the first exception by time.

Source
    torch c10d (Gloo, NCCL) texts; `SignalHandler` (`managers/tokenizer_manager.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.completeness import missing
from logscope.finding import Hypothesis, Way

WAY: Way = "leave"
TITLE = "Another process died first, and its log is not here"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Only followers are in the launch."""
    if not case.lasting or case.originators or case.state == "stopped":
        return
    first = case.lasting[0]
    yield Hypothesis(
        cause="peer_lost",
        weight=0.4,
        sentence=f"Only consequences are in this log ({first.follows}): another process ended first, and its own log is not here.",
        evidence=tuple(dict.fromkeys(failure.decisive for failure in (*case.lasting[:3], case.lasting[-1]))),
        confidence="likely",
        fraction=WAY,
        chain=tuple((failure.decisive, failure.follows) for failure in case.lasting[:4]),
        missing=tuple(missing(case.launch)),
        at=first.ref,
    )
