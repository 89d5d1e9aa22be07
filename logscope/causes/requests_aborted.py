"""Clients gave up; what they left behind goes on for a while.

What it is
    Requests whose client is gone: aborts, outputs for a state that was deleted.

How to tell
    Abort lines, or many lines of one request id whose state is deleted: one zombie, not many failures.

Not to be taken for
    A failing server: nothing else in the log fails.

What to do
    Look at the clients' timeouts; count request ids, not lines.

Source
    `TokenizerManager` (`managers/tokenizer_manager.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.finding import Action, Hypothesis, Way
from logscope.wording import several

WAY: Way = "leave"
TITLE = "Clients gave up on their requests"

_FLOOD = (
    {
        "reference": "sgl-project/sglang#36876",
        "why": "the scheduler goes on for requests whose state is deleted, and prints a line for each of their outputs",
    },
)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Aborts in a server that does not fail otherwise."""
    rows = case.launch.rows("request_abort")
    if not rows:
        raise FactMissing("no request was aborted")
    if case.originators and case.died:
        return
    ids = Counter(str(row.get("rid", "")) for row in rows)
    zombies = [row for row in rows if row.get("kind") == "state_deleted"]
    told = f"{several(len(rows), 'line')} for {several(len(ids), 'request')}"
    zombie = (
        " whose state is deleted: the scheduler still decodes for a client that is gone"
        if zombies
        else " that their clients gave up"
    )
    weight = 0.6 if zombies or len(rows) >= 5 else 0.28
    yield Hypothesis(
        cause="requests_aborted",
        weight=weight if case.state != "stopped" else min(weight, 0.4),
        sentence=f"Clients gave up: {told}{zombie}.",
        evidence=tuple(row.ref for row in (zombies or rows)[:3]),
        confidence="likely",
        fraction=WAY,
        chain=(((zombies or rows)[0].ref, "the client is gone"),),
        actions=(
            Action(
                do="Compare the clients' timeout with how long requests take; count request ids, not lines.",
                why="The server is told of the disconnect and stops later.",
                verify="No line for a deleted state.",
            ),
        ),
        upstream=_FLOOD if zombies and len(rows) > 50 * len(ids) else (),
        at=rows[0].ref,
    )
