"""The gateway refuses while workers are well, or cannot reach them.

What it is
    Open circuits, no available worker, health checks that are still pending.

How to tell
    The router's own lines say so, and no worker's failure is in the log.

Not to be taken for
    Dead workers: a worker that still compiles does not answer the probe yet. Circuits opened by clients' own errors.
    A start or an outage that is over: the router finds its workers well again behind the last refusal.

What to do
    Ask the workers directly; look at what opened the circuits; give slow starts more time.

Source
    sgl-router, sgl-model-gateway (`router_manager.rs`, `circuit_breaker`), `mini_lb.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.facts.gateway import recovered, refusals, said
from logscope.facts.transfers import broken
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import brief

WAY: Way = "leave"
TITLE = "The router refuses or cannot reach its workers"
_UNREACHED = re.compile(r"Connect|Timeout|Disconnected|connection", re.IGNORECASE)
_VALUE = re.compile(r"\S*\d\S*")
_OVER = 0.25  # its workers were well again afterwards


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Lines of the router that refuse, without a worker's failure."""
    yield from _of_balancer(case)
    if not case.launch.has("router"):
        raise FactMissing("no router printed anything")
    rows = refusals(case.launch)
    if not rows or case.originators or broken(case.launch):
        return
    compiles = case.launch.has("kernel_compile")
    why = "its workers are still compiling" if compiles else "its workers are not known to have failed"
    yield Hypothesis(
        cause="router_rejecting",
        weight=_OVER if recovered(case.launch, rows) else 0.64,
        sentence=f"The router refuses or waits while {why}: {str(rows[0].get('text', rows[0].get('event', '')))[:160]}",
        evidence=tuple(row.ref for row in _each(rows)[:4]),
        confidence="likely",
        fraction=WAY,
        chain=((rows[0].ref, "the router refuses"),),
        missing=("the workers' logs of the same minutes",),
        actions=(
            Action(
                do="Ask a worker's /health directly; look for what opened its circuit; lengthen the start-up timeout of the router.",
                why="The router judges workers by its own probes and by the errors of requests.",
                verify="The router lists the workers as healthy.",
            ),
        ),
        at=rows[0].ref,
    )


def _of_balancer(case: Case) -> Iterator[Hypothesis]:
    """The Python load balancer's own traceback: it could not reach a worker."""
    found = [f for f in case.survived if f.in_frames("mini_lb", "sglang_router") or "mini_lb" in f.text]
    found = [f for f in found if f.chain and _UNREACHED.search(f"{f.chain[-1].type} {f.chain[-1].message}")]
    if not found or case.originators:
        return
    raised = found[0].chain[-1]
    lines = (found[0].row.line_of_text(raised.offset), found[0].decisive)
    yield Hypothesis(
        cause="router_rejecting",
        weight=0.64,
        sentence=f"The load balancer could not reach a worker: {brief(raised.message, 160).rstrip('.')}.",
        evidence=tuple(dict.fromkeys(lines)),
        confidence="likely",
        fraction=WAY,
        chain=((lines[0], "the balancer cannot reach a worker"),),
        missing=("the workers' logs of the same minutes",),
        actions=(
            Action(
                do="Ask that worker's /health from the balancer's host; read the worker's own log of that second.",
                why="The balancer only tells that nobody answered at that address.",
                verify="The same request is answered.",
            ),
        ),
        at=lines[0],
    )


def _each(rows: list[Row]) -> list[Row]:
    """The first row of each wording: addresses and numbers aside."""
    return list({_VALUE.sub("", said(row)): row for row in reversed(rows)}.values())[::-1]
