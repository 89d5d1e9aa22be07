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

from collections.abc import Iterator

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.facts.transfers import broken, of, rooms
from logscope.finding import Action, Hypothesis, Way
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The prefill and decode sides never met"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Hand-overs that failed before the handshake was done."""
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


def _around(case: Case) -> list[LineRef]:
    """A failed probe, a failed warm-up and the router's words about the same moment."""
    probes = [row.ref for row in case.launch.rows("health_check") if row.get("kind") == "failed"]
    routed = [row.ref for row in case.launch.rows("router")] if case.launch.table("router").num_rows < 100 else []
    warm = [row.ref for row in case.launch.rows("disaggregation") if row.get("kind") == "warmup_failed"]
    return [*probes[:1], *routed[:2], *warm[:1]]
