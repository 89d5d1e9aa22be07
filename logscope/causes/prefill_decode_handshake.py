"""Prefill–decode disaggregation: the pair never met.

What it is
    The decode side could not reach the prefill side's bootstrap server, or the handshake of a request did not finish.

How to tell
    State `Bootstrapping`, bootstrap errors, connect errors to the bootstrap port, mismatched parallelism. A connect without
    a timeout blocks the scheduler thread, so that the health probe fails first.

Not to be taken for
    `prefill_decode_transfer`: the handshake was done. `detokenizer_or_frontend_failed`: the probe fails as a consequence.
    One request repeated on every rank is one failure.

What to do
    Check the address, the port and the parallel sizes of both sides; look at the peer's log.

Source
    `disaggregation/prefill.py`, `decode.py`, `disaggregation/*/conn.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.facts.transfers import broken, of, rooms
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import brief
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The prefill and decode sides never met"
_CODE = "disaggregation/"
_DIFFERS = re.compile(
    r"different (?:tp|dp|pp|page|ep) ?sizes?|(?:tp|dp|pp|page|head|index|indices)\b.{0,40}? (?:should be equal|mismatch|differs?)"
    r"|(?:prefill|decode).{0,60}?(?:do(?:es)? not match|mismatch|should be equal)|do not match prefill",
    re.IGNORECASE,
)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Hand-overs that failed before the handshake was done."""
    yield from _mismatched(case)
    found = of(broken(case.launch), "handshake")
    if not found:
        raise FactMissing("no handshake failed")
    aborted = all(one.aborted for one in found)
    number = rooms(found)
    who = "somebody gave up on it (AbortReq)" if aborted else found[0].text[:160].rstrip(".")
    yield Hypothesis(
        cause="prefill_decode_handshake",
        weight=0.66 if aborted else 0.84,
        sentence=f"The prefill and decode sides never met for {number} request{'s' if number > 1 else ''}: {who}.",
        evidence=tuple(dict.fromkeys((found[0].ref, *_around(case), *(one.ref for one in found[1:3])))),
        confidence="possible" if aborted else "likely",
        fraction=WAY,
        chain=((found[0].ref, "the handshake fails"), *((f.decisive, f.follows) for f in case.lasting if f.follows)),
        missing=("the log of the other side of the pair for the same bootstrap_room",),
        actions=(
            Action(
                do="From the decode side, connect to the prefill side's bootstrap address and port; compare tp, dp and page size of both.",
                why="The handshake is one HTTP request to that port and a comparison of the parallel sizes.",
                verify="A request with that room appears on both sides.",
            ),
        ),
        at=found[0].ref,
    )


def _mismatched(case: Case) -> Iterator[Hypothesis]:
    """The code of the hand-over raises that the settings of the two sides do not go together."""
    for failure in (*case.originators[:3], *case.survived[:3]):
        raised = [one for one in failure.chain if _DIFFERS.search(one.message)]
        if not raised or not any(_CODE in frame.file for one in failure.chain for frame in one.frames):
            continue
        line = failure.row.line_of_text(raised[0].offset)
        yield Hypothesis(
            cause="prefill_decode_handshake",
            weight=0.82,
            sentence=f"The settings of the prefill and the decode side do not go together: {brief(raised[0].message, 200).rstrip('.')}.",
            evidence=tuple(dict.fromkeys((line, failure.ref))),
            confidence="likely",
            fraction=WAY,
            chain=((line, "the two sides differ"),),
            missing=("the server_args line of the other side of the pair",),
            actions=(
                Action(
                    do="Compare the server_args lines of both sides: tp, dp, pp, page size, cache dtype and model; start the smaller change.",
                    why="KV of one layout cannot be written into another unless the transfer code converts it.",
                    verify="The same message does not come with the first request.",
                ),
            ),
            at=line,
        )
        return


def _around(case: Case) -> list[LineRef]:
    """A failed probe, a failed warm-up and the router's words about the same moment."""
    probes = [row.ref for row in case.launch.rows("health_check") if row.get("kind") == "failed"]
    routed = [row.ref for row in case.launch.rows("router")] if case.launch.table("router").num_rows < 100 else []
    warm = [row.ref for row in case.launch.rows("disaggregation") if row.get("kind") == "warmup_failed"]
    return [*probes[:1], *routed[:2], *warm[:1]]
