"""The log does not hold what would tell.

What it is
    A symptom without its cause, a start that was cut, or a log that ends while requests run.

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

from logscope.case import Case
from logscope.facts import notable
from logscope.facts.completeness import missing, running_at_end, silent_kill_possible
from logscope.facts.origin import is_own, other_program
from logscope.facts.phases import milestones, time_of
from logscope.facts.states import last_batch_at, last_row
from logscope.finding import Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The log does not hold what would tell"
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
    if not rows or case.died or case.originators or _went_on(case, rows[0]):
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


def _went_on(case: Case, row: Row) -> bool:
    """Whether batches ran inside the time in which a watchdog saw nothing: then it looked at the wrong thing."""
    limit, fired = row.get("timeout_s"), time_of(row)
    last = last_batch_at(case.launch, fired) if fired is not None else None
    return limit is not None and fired is not None and last is not None and fired - last < limit / 2


def _told(case: Case) -> list[LineRef]:
    """What failed, the last milestone of the start, the lines that look odd, and the batches of an excerpt."""
    failed = [ref for f in case.originators[:3] for ref in (f.decisive, *f.message_lines[:1])]
    reached = [one.ref for one in milestones(case.launch)][-1:]
    return sorted({*failed, *reached, *notable.odd(case.launch)[:4], *notable.lines(case.launch)[:8]})
