"""Nothing is wrong in what the log shows.

What it is
    The launch serves, or served to the end of the log, and no failure, refusal or exhausted pool is in it.

How to tell
    No originating failure, no root finding; batches go on, or the server is idle after its last request.

Not to be taken for
    `stopped_on_request`, which needs the line that begins an orderly end. `not_enough_evidence`, where the log holds too
    little to acquit, or stops while requests run in a release whose killed scheduler leaves no line.

What to do
    Leave `--mem-fraction-static`. Look elsewhere: the client, the network, another node's log.

Source
    `srt/managers/scheduler.py`, the batch lines of `metrics_reporter.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts import batches, notable
from logscope.facts.gateway import answered
from logscope.facts.generated import generated
from logscope.facts.states import last_row
from logscope.finding import Hypothesis, Way
from logscope.quantity import LineRef
from logscope.wording import several

WAY: Way = "leave"
TITLE = "Nothing is wrong here"
_LIFE = ("decode_batch", "prefill_batch", "ready", "http_access", "capacity", "bench_one_batch")


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Acquit a launch that serves and in which nothing failed."""
    yield from _of_router(case)
    made = generated(case.launch)
    if case.died or case.state in ("unknown", "stopped") or case.root is not None:
        return
    last = last_row(case.launch, *_LIFE)
    last = max((row for row in (last, *made[-1:]) if row is not None), key=lambda row: row.ref, default=None)
    if last is None:
        return
    numbers = list(_numbers(case))
    told = "; ".join(numbers) if numbers else "the start came up to its capacity line and nothing failed"
    yield Hypothesis(
        cause="healthy",
        weight=0.3,
        sentence=f"Nothing is wrong in what this log shows: {told}.",
        evidence=tuple(dict.fromkeys(_evidence(case, last.ref)))[:24],
        confidence="likely",
        fraction=WAY,
        at=last.ref,
    )


def _of_router(case: Case) -> Iterator[Hypothesis]:
    """Acquit a router whose own log shows answers and no refusal that lasted."""
    answers = answered(case.launch)
    if not answers or case.failures or case.state != "unknown":
        return
    yield Hypothesis(
        cause="healthy",
        weight=0.3,
        sentence=f"Nothing is wrong in what this router's log shows: it passed on {several(len(answers), 'answer')}.",
        evidence=tuple(row.ref for row in (*answers[:3], answers[-1])),
        confidence="likely",
        fraction=WAY,
        at=answers[-1].ref,
    )


def _numbers(case: Case) -> Iterator[str]:
    launch = case.launch
    if made := generated(launch):
        yield f"{several(len(made), 'output')} generated, the slowest in {max(row.get('number_1') or 0 for row in made):.1f} s"
        return
    try:
        yield f"the fullest pool was {float(np.nanmax(batches.usage(launch))):.0%} used at most"
    except NotChecked:
        pass
    try:
        most = float(np.nanmax(batches.column(launch, "decode_batch", "queued_requests")))
        yield "no request waited in the queue" if most == 0 else f"at most {most:.0f} requests waited"
    except NotChecked:
        pass
    if not launch.has("retraction"):
        yield "no request was retracted"


def _evidence(case: Case, last: LineRef) -> Iterator[LineRef]:
    """What shows that it came up: the milestones of one rank, what looks odd and is not, the last sign of life."""
    launch = case.launch
    rank = next((name for name in launch.ranks if launch.rank(name).rows("memory_pool_end")), "")
    for name in ("state_pool", "kv_pool", "memory_pool_end", "graph_capture", "capacity"):
        rows = launch.rank(rank).rows(name) if rank else launch.rows(name)
        yield from (row.ref for row in rows[-1:])
    for row in launch.rows("uvicorn"):
        if row.get("event") == "startup_complete":
            yield row.ref
    yield from (row.ref for row in launch.rows("ready")[:1])
    yield from notable.odd(launch)
    for finding in case.findings:
        yield from finding.evidence[:2]
    yield from notable.lines(launch)[:14]
    yield last
