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

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts import memory
from logscope.facts.retractions import Pressure, pressure
from logscope.finding import Action, Hypothesis, Way
from logscope.wording import count, duration

WAY: Way = "raise"
TITLE = "The pool is full and requests are retracted"
_HEADROOM_GIB = 3.0


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Retractions that are more than an occasional one."""
    found = pressure(case.launch)
    if case.root is not None and case.died:
        return
    storm = found.per_minute > 1 and found.events >= 3
    weight = 0.65 if storm and case.state != "stopped" else 0.42 if storm else 0.25
    way: Way = "raise" if _headroom(case) else "leave"
    yield Hypothesis(
        cause="retraction_pressure",
        weight=weight,
        sentence=(
            f"The KV pool ran full and {count(found.requests)} requests were retracted in {found.events} events within "
            f"{duration(found.span_s)}: back-pressure, not a crash, and their prefill is done again."
        ),
        evidence=tuple(found.lines[:3]),
        confidence="likely",
        fraction=way if storm else "leave",
        ruled_out=(("forward_out_of_memory", "no allocator failed: the scheduler made room and went on"),),
        actions=tuple(_actions(found)),
        at=found.lines[0],
    )


def _headroom(case: Case) -> bool:
    """Whether memory outside the pool would allow a larger one."""
    for name in case.launch.ranks:
        try:
            return memory.available_at_ready(case.launch.rank(name)).interval.lo > _HEADROOM_GIB
        except NotChecked:
            continue
    return False


def _actions(found: Pressure) -> Iterator[Action]:
    yield Action(
        do="Raise --mem-fraction-static by 0.02, if the capacity line shows several GiB free; else lower --max-running-requests.",
        why=f"{found.events} retractions: admission took more than the pool holds.",
        verify="Fewer `Retract requests` lines a minute, at most about one.",
        risk="A larger pool leaves less for activations: watch free memory during the heaviest prefill.",
        set={"flag": "--mem-fraction-static"},
    )
