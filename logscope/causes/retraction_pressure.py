"""Running requests are retracted again and again; work is done twice.

What it is
    The pool is full of running requests; the scheduler sends some back and prefills them again later.

How to tell
    Distinct retractions (the same second and ratios on several ranks are one) at more than one a minute, or with the
    new-token ratio at its floor.

Not to be taken for
    An out-of-memory: a retraction is back-pressure, and the server goes on. Up to 0.4.6.post5 it is worded `Decode out of
    memory happened`. `#retracted-req` in decode lines is the length of a queue, not a count of events.

What to do
    Raise the fraction in steps of 0.02 where memory allows it, lower the running requests, or raise the schedule
    conservativeness.

Source
    `Scheduler.update_running_batch`, `ScheduleBatch.retract_decode` (`managers/schedule_batch.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.errors import NotChecked
from logscope.facts import batches, memory
from logscope.facts.retractions import Pressure, fullest_at, pressure
from logscope.finding import Action, Hypothesis, Way
from logscope.wording import duration, percent, several

WAY: Way = "raise"
TITLE = "The pool is full and requests are retracted"
_HEADROOM_GIB = 1.0
_FULL = 0.9  # of a pool: with less in use, what a step adds cannot be what did not fit


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Retractions that are more than an occasional one, or a pool that stands full while requests come back."""
    if not case.launch.has("retraction"):
        yield from _inferred(case)
        return
    found = pressure(case.launch)
    if case.root is not None and case.died:
        return
    storm = found.per_minute > 1 and found.events >= 3
    weight = 0.65 if storm and case.state != "stopped" else 0.42 if storm else 0.25
    room = _room(case)
    way: Way = "raise" if _headroom(case) and room is None else "leave"
    within = f" within {duration(found.span_s)}" if found.events > 1 else ""
    yield Hypothesis(
        cause="retraction_pressure",
        weight=weight,
        sentence=(
            f"{'The KV pool ran full and ' if room is None else ''}{several(found.requests, 'request')} "
            f"{'was' if found.requests == 1 else 'were'} retracted in {several(found.events, 'event')}{within}: "
            f"back-pressure, not a crash, and their prefill is done again.{_with_room(room)}"
        ),
        evidence=tuple(dict.fromkeys((*found.lines[:3], *batches.fullest(case.launch)))),
        confidence="likely",
        fraction=way if storm else "leave",
        ruled_out=(("forward_out_of_memory", "no allocator failed: the scheduler made room and went on"),),
        actions=tuple(_actions(found) if room is None else _of_room(found)),
        at=found.lines[0],
    )


def _inferred(case: Case) -> Iterator[Hypothesis]:
    """The pool stands at 1.00 with a queue, and a long context is prefilled from nothing right after."""
    if case.died:
        return
    usage = batches.usage(case.launch)
    queue = batches.column(case.launch, "decode_batch", "queued_requests")
    pending = batches.column(case.launch, "prefill_batch", "pending_tokens")
    cached = batches.column(case.launch, "prefill_batch", "cached_tokens")
    full = np.flatnonzero((usage >= 0.995) & (queue > 0))
    again = np.flatnonzero((pending > 10 * batches.column(case.launch, "prefill_batch", "new_tokens")) & (cached == 0))
    if len(full) < 2 or not len(again):
        return
    line = batches.ref(case.launch, "decode_batch", int(full[-1]))
    redone = batches.ref(case.launch, "prefill_batch", int(again[0]))
    if redone < line:
        return
    yield Hypothesis(
        cause="retraction_pressure",
        weight=0.58,
        sentence=(
            f"The fullest pool stands at {usage[full[-1]]:.2f} with {queue[full[-1]]:.0f} waiting, and {pending[again[0]]:,.0f} tokens are then prefilled "
            "from nothing: a running request was sent back and its context is read again."
        ),
        evidence=(line, redone),
        confidence="likely",
        fraction="raise" if _headroom(case) else "leave",
        chain=((line, "the pool is full"), (redone, "a context is prefilled again")),
        missing=("the `Retract requests` line between the two",),
        at=line,
    )


def _headroom(case: Case) -> bool:
    """Whether memory outside the pool would allow a larger one."""
    for name in case.launch.ranks:
        try:
            return memory.available_at_ready(case.launch.rank(name)).interval.lo > _HEADROOM_GIB
        except NotChecked:
            continue
    return True  # nothing in the log says that memory outside the pool is short


def _room(case: Case) -> float | None:
    """How full the fullest printed pool can have been at the retractions, where that is not full; None else.

    Without a usage before them the retraction's own words stand: the pool was full.
    """
    try:
        share, _line = fullest_at(case.launch)
    except NotChecked:
        return None
    return share if share < _FULL else None


def _with_room(room: float | None) -> str:
    if room is None:
        return ""
    return (
        f" Yet at most {percent(room)} of the fullest printed pool were in use when it happened: what did not fit was another pool "
        "(window, state or request slots) or another rank's, not this one, and a larger fraction is not the answer."
    )


def _of_room(found: Pressure) -> Iterator[Action]:
    yield Action(
        do="Find the pool that was full: the decode lines of every rank, where they print each "
        "pool (`full token usage`, `swa token usage`, `mamba usage`). Then give that one more room "
        "(--swa-full-tokens-ratio, --mamba-full-memory-ratio, --max-mamba-cache-size) or lower --max-running-requests. "
        "Unset SGLANG_TEST_RETRACT, which retracts on purpose.",
        why=f"{found.events} retractions beside free tokens: the fraction is raised on a full pool and retractions only.",
        verify="The new-token ratio falls back between retractions and `Retract requests` lines become rare.",
    )


def _actions(found: Pressure) -> Iterator[Action]:
    yield Action(
        do="Raise --mem-fraction-static by 0.02, if the capacity line shows several GiB free; else lower --max-running-requests.",
        why=f"{found.events} retractions: admission took more than the pool holds.",
        verify="Fewer `Retract requests` lines a minute, at most about one.",
        risk=f"A larger pool leaves less for activations: watch free memory during the heaviest prefill. {IN_STAGING}",
        set={"flag": "--mem-fraction-static"},
    )
