"""The log does not hold what would tell.

What it is
    A symptom without its cause (decoding that lost its speed, a watchdog that was misled), a start that was cut, or a log that ends while requests run.

How to tell
    Nothing in the log explains the state it ends in. What is missing is named.

Not to be taken for
    `peer_lost`, where a follower's own words say that another process ended first. `healthy`, where nothing is missing.

What to do
    Collect what is named as missing and run logscope on all of it.

Source
    Completeness of the launch's own lines; from 0.4.10 to 0.5.9 a scheduler that is killed while serving leaves no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.facts import notable
from logscope.facts.completeness import missing, running_at_end, silent_kill_possible
from logscope.facts.origin import is_own, other_program
from logscope.facts.phases import milestones, time_of
from logscope.facts.slowdown import slowdown
from logscope.facts.stalls import false_alarms, ran_on
from logscope.facts.states import last_batch_at, last_row
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import BATCHES
from logscope.quantity import LineRef
from logscope.wording import several

WAY: Way = "leave"
TITLE = "The log does not hold what would tell"
_MISLED = 0.75  # as much as a watchdog that is right
_STOOD = 0.56  # above what would acquit the pause as an average


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Always possible; it wins only where nothing else explains the end of the launch."""
    if not is_own(case.launch):
        other = other_program(case.launch)
        yield Hypothesis(
            cause="not_enough_evidence",
            weight=1.0,
            sentence=f"This is the log of {other.name}: no line is one of an SGLang server, so nothing of it is judged.",
            evidence=(other.ref,),
            confidence="certain" if other.announces else "likely",
            fraction=WAY,
            missing=("the log of the SGLang server",),
        )
        return
    yield from _stood_still(case)
    yield from _false_alarm(case)
    yield from _slower(case)
    last = last_row(case.launch, *case.launch.tables)
    evidence = tuple(dict.fromkeys((*_told(case), *((last.ref,) if last else ()))))
    stops = running_at_end(case.launch)
    if case.state == "ready" and stops and silent_kill_possible(case.launch):
        yield Hypothesis(
            cause="not_enough_evidence",
            weight=0.45,
            sentence=(
                f"The log stops while {stops} requests are running. In these releases a scheduler that is killed from outside "
                "leaves no line, so this is either a log that was copied from a live server or a silent kill."
            ),
            evidence=evidence,
            confidence="likely",
            fraction=WAY,
            missing=tuple(missing(case.launch)),
            at=last.ref if last else None,
        )
        return
    yield Hypothesis(
        cause="not_enough_evidence",
        weight=0.1,
        sentence="The log does not hold what would tell why it ends as it does.",
        evidence=evidence,
        confidence="possible",
        fraction=WAY,
        missing=tuple(missing(case.launch)),
        at=last.ref if last else None,
    )


def _stood_still(case: Case) -> Iterator[Hypothesis]:
    """A soft watchdog only reports: a process stood still, went on, and what held it up is not in the log."""
    rows = [row for row in case.launch.rows("watchdog") if row.get("kind") == "timeout" and row.get("soft") is True]
    if not rows or case.died or case.originators or ran_on(case.launch, rows[0]):
        return
    waited = f" for more than {rows[0]['timeout_s']:.0f} s" if rows[0].get("timeout_s") else ""
    yield Hypothesis(
        cause="not_enough_evidence",
        weight=_STOOD,
        sentence=f"The {rows[0].get('watched', 'process')} stood still{waited}, as its soft watchdog reports, and the server went on; the log does not hold what held it up.",
        evidence=tuple(dict.fromkeys((*(row.ref for row in rows[:3]), *notable.lines(case.launch)[:6]))),
        confidence="likely",
        fraction=WAY,
        missing=(
            "the py-spy dump that the watchdog prints above its line",
            "what the host did in that time: its load, its memory, a paused container (`dmesg -T`, `sar`)",
        ),
        at=rows[0].ref,
    )


def _false_alarm(case: Case) -> Iterator[Hypothesis]:
    """A watchdog ended a server whose batches ran: nothing stood still, and what misled it is not in the log."""
    rows = false_alarms(case.launch)
    if not rows:
        return
    fired = rows[0].time
    last = last_batch_at(case.launch.rank(rows[0].rank), fired)
    batch = last_row(case.launch, *BATCHES)
    yield Hypothesis(
        cause="not_enough_evidence",
        weight=_MISLED,
        sentence=(
            f"The watchdog of {rows[0].rank} ended the server although a batch ran {fired - last:.0f} s before it fired and its limit "
            f"is {rows[0]['timeout_s']:.0f} s: a false alarm, no hang; the log does not hold what misled it."
        ),
        evidence=tuple(dict.fromkeys((*(row.ref for row in rows[:3]), *((batch.ref,) if batch else ())))),
        confidence="likely",
        fraction=WAY,
        missing=(
            "whether the batch lines and the watchdog are of one process: pid and container of each line",
            "whether the clock was set in that time: `journalctl -u chronyd -u systemd-timesyncd`, `dmesg -T`",
            "the py-spy dump of that scheduler, which shows whether it was inside a forward",
        ),
        actions=(
            Action(
                do="Raise --watchdog-timeout while you look for what misled it; change no setting of memory or of batches.",
                why="The rank printed batches inside the limit, so no forward hung for that long.",
                verify="No watchdog line stands within its own limit behind a batch line of its rank.",
                risk="A true hang is noticed later.",
                set={"flag": "--watchdog-timeout"},
            ),
        ),
        at=rows[0].ref,
    )


def _slower(case: Case) -> Iterator[Hypothesis]:
    """Decoding lost its speed at an unchanged load: no healthy server, and its log does not tell what took the time."""
    if case.died or case.originators or case.state == "stopped":
        return
    try:
        found = slowdown(case.launch)
    except FactMissing:
        return
    moment = time_of(found.first)
    when = f" at {datetime.fromtimestamp(moment, UTC):%H:%M:%S}" if moment is not None else ""
    how_long = "to the end of that load" if found.lasts else "and then recovered"
    yield Hypothesis(
        cause="not_enough_evidence",
        weight=_STOOD,
        sentence=(
            f"Decoding fell{when} from {found.rate_before:.1f} to {found.rate_after:.1f} tok/s with {several(found.running, 'request')} before and "
            f"after, for {several(found.lines, 'line')} {how_long}; no prefill, drain, missing graph or longer context explains it, "
            "and the log does not hold what took the time."
        ),
        evidence=(found.before.ref, found.first.ref, found.last.ref),
        confidence="likely",
        fraction=WAY,
        chain=((found.first.ref, "the first line of the slow stretch"),),
        missing=(
            "clocks, heat and power of the device in that time: `nvidia-smi -q -d CLOCK,TEMPERATURE,PERFORMANCE`, `dmesg -T | grep -i xid`",
            "a second tenant of the device or of the host's processors: `nvidia-smi pmon`, `top`, `vmstat 1`",
            "kernels that were compiled or tuned anew: `py-spy dump --pid` of the scheduler, the compiler's cache",
        ),
        at=found.first.ref,
    )


def _told(case: Case) -> list[LineRef]:
    """What failed, the last milestone of the start, the lines that look odd, and the batches of an excerpt."""
    failed = [ref for f in case.originators[:3] for ref in (f.decisive, *f.message_lines[:1])]
    reached = [one.ref for one in milestones(case.launch)][-1:]
    return sorted({*failed, *reached, *notable.odd(case.launch)[:4], *notable.lines(case.launch)[:8]})
