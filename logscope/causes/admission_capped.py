"""The queue grows while the pool is nearly empty: a count limit binds.

What it is
    max_running_requests (speculation lowers its default), state slots, adapter slots or another count stops admission.

How to tell
    Queued requests last beside a pool that is at most half used, and the running requests stay at one number.

Not to be taken for
    `retraction_pressure`: a full pool. `speculation_ineffective`: acceptance can be fine. Work in front of the scheduler,
    where nothing is queued at all.

What to do
    Raise the limit that binds. The fraction does nothing.

Source
    `Scheduler.get_new_batch_prefill` (`managers/scheduler.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.admission import STATE_SLOTS, Capped, capped
from logscope.finding import Action, Hypothesis, Way
from logscope.wording import percent, several

WAY: Way = "leave"
TITLE = "A count limit keeps requests waiting"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A queue beside an empty pool in a server that did not fail."""
    if case.died:
        return
    found = capped(case.launch)
    yield Hypothesis(
        cause="admission_capped",
        weight=(0.62 if case.state != "stopped" else 0.42),
        sentence=f"{found.queued} requests wait while {found.running} run and the pool is {percent(found.usage, 0)} used: a count limit binds, {found.limit}.{_refused(case, found)}",
        evidence=(found.line, *found.limit_lines, *found.refused[:1]),
        confidence="likely",
        fraction=WAY,
        chain=((found.line, "a queue beside a nearly empty pool"),),
        ruled_out=(("retraction_pressure", f"the pool is {percent(found.usage, 0)} used"),),
        actions=(_action(found),),
        at=found.line,
    )


def _refused(case: Case, found: Capped) -> str:
    """Who was turned away at the end of the queue, in words; empty when nobody was."""
    if not found.refused:
        return ""
    most = case.launch.arguments.get("max_queued_requests")
    limit = f": --max-queued-requests = {most}" if isinstance(most, int) else ""
    was = "was" if len(found.refused) == 1 else "were"
    return f" {several(len(found.refused), 'request')} {was} answered 503, the queue being full{limit}."


def _action(found: Capped) -> Action:
    verify = "`#running-req` rises above the old limit and the queue shrinks."
    if found.limit == STATE_SLOTS:
        return Action(
            do="Give the state pool more slots: raise --max-mamba-cache-size or --mamba-full-memory-ratio.",
            why="Every running request holds state slots; the tokens of the KV pool are not what is short.",
            verify=verify,
            risk="Slots and tokens share one budget: the KV pool gets smaller.",
            set={"flag": "--max-mamba-cache-size"},
        )
    return Action(
        do="Raise --max-running-requests (or the slots that bind) in steps and watch the throughput.",
        why="Memory is there; the number of running requests is what stops admission.",
        verify=verify,
        risk="More requests at once use more of the pool and of the memory outside it.",
        set={"flag": "--max-running-requests"},
    )
