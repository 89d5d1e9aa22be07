"""What happened in one launch and when: its phases, its events, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from logscope.render._charts import Mark
from logscope.render._numbers import clock, duration, moment
from logscope.render._reading import Report, finite, number, part, parts, text

_TOGETHER_S = 5.0  # the ranks of one server enter a phase, or fail, within this
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Bar(NamedTuple):
    """One phase of one rank, in seconds since the start of the launch."""

    name: str
    rank: str
    begin: float
    end: float


class Event(NamedTuple):
    """One moment; `letter` marks those that every chart shows."""

    t: float
    time: str
    rank: str
    kind: str
    said: str
    severity: str
    seconds: float
    letter: str
    source: Report


def bars(launch: Report) -> list[Bar]:
    """The phases that can be placed in time; one without an end lasts until its rank enters the next, or to the end."""
    start = moment(text(launch, "start"))
    placed = []
    for phase in parts(launch, "phases"):
        begin = number(phase, "t")
        begin = _since(phase.get("start"), start) if begin is None else begin
        if begin is not None:
            length, end = number(phase, "seconds"), _since(phase.get("end"), start)
            rank = text(phase, "rank", "main")
            placed.append((text(phase, "name"), rank, begin, end if length is None else begin + length))
    last = number(part(launch, "seconds"), "end") or 0.0
    made = []
    for name, rank, begin, end in placed:
        after = [other for _, of, other, _ in placed if of == rank and other > begin]
        close = min(after, default=max(last, begin))
        made.append(Bar(name, rank, begin, close if end is None else end))
    return made


def events(launch: Report, start: datetime | None) -> list[Event]:
    """The moments in order of time; those that every chart shows carry a letter."""
    placed = [(t, one) for one in parts(launch, "events") if (t := number(one, "t")) is not None]
    found = [
        Event(
            t=t,
            time=text(one, "time") or clock(start, t),
            rank=text(one, "rank"),
            kind=text(one, "kind"),
            said=_said(one),
            severity=_severity(one),
            seconds=number(one, "seconds") or 0.0,
            letter="",
            source=one,
        )
        for t, one in sorted(placed, key=lambda pair: pair[0])
    ]
    letters = _letters(found)
    return [event._replace(letter=letters.get((event.severity, event.said), "")) for event in found]


def _letters(found: Sequence[Event]) -> dict[tuple[str, str], str]:
    """A letter for each text of an error, then of a warning, while there are letters; in order of time."""
    texts = {severity: _texts(found, severity) for severity in ("error", "warning")}
    chosen = [(severity, said) for severity in texts for said in texts[severity]][: len(_LETTERS)]
    first = {key: next(e.t for e in found if (e.severity, e.said) == key) for key in chosen}
    return {key: _LETTERS[i] for i, key in enumerate(sorted(chosen, key=lambda key: first[key]))}


def _texts(found: Sequence[Event], severity: str) -> list[str]:
    return list(dict.fromkeys(e.said for e in found if e.severity == severity and e.kind != "gap"))


def _said(one: Report) -> str:
    """The text of an event; a phase's name as words."""
    return text(one, "text").replace("_", " ") if text(one, "kind") == "phase" else text(one, "text")


def _severity(one: Report) -> str:
    known = text(one, "severity", "note")
    return known if known in ("error", "warning") else "note"


def marks(found: Sequence[Event], ready_s: float | None) -> list[Mark]:
    """What the charts show of the events: each letter once, and the moment of being ready."""
    seen: dict[str, Mark] = {}
    for event in found:
        if event.letter:
            seen.setdefault(event.letter, Mark(event.t, event.letter, event.severity))
    ready = [Mark(ready_s, "ready", "note")] if ready_s is not None else []
    return sorted([*seen.values(), *ready], key=lambda m: m.t)


def table(found: Sequence[Event]) -> list[dict[str, Any]]:
    """The events in words; what several ranks print within some seconds is one row."""
    groups: list[list[Event]] = []
    latest: dict[tuple[str, str, str], list[Event]] = {}
    for event in found:
        key = (event.kind, event.said, event.severity)
        group = latest.get(key, [])
        if group and event.t - group[0].t <= _TOGETHER_S and event.rank not in {member.rank for member in group}:
            group.append(event)
        else:
            latest[key] = [event]
            groups.append(latest[key])
    return [
        {
            "letter": e.letter,
            "time": e.time,
            "rank": e.rank if len(members) == 1 else f"{members[0].rank} and {len(members) - 1} more",
            "ranks": ",".join(sorted({member.rank for member in members})),
            "kind": e.kind,
            "said": e.said,
            "severity": e.severity,
            "seconds": duration(e.seconds) if e.seconds else "",
            "source": e.source,
        }
        for members in groups
        for e in members[:1]
    ]


def phase_table(found: Sequence[Bar], start: datetime | None) -> list[dict[str, str]]:
    """The phases in words: one row a name, the ranks that differ told as a range of durations."""
    by_name: dict[str, list[Bar]] = {}
    for bar in found:
        by_name.setdefault(bar.name, []).append(bar)
    rows = []
    for name, members in by_name.items():
        lengths = sorted(bar.end - bar.begin for bar in members)
        shortest, longest = duration(lengths[0]), duration(lengths[-1])
        ranks = sorted({bar.rank for bar in members})
        rows.append(
            {
                "name": name.replace("_", " "),
                "ranks": ranks[0] if len(ranks) == 1 else f"{len(ranks)} ranks",
                "begin": clock(start, min(bar.begin for bar in members)),
                "seconds": shortest if shortest == longest else f"{shortest} to {longest}",
            }
        )
    return rows


def _since(printed: object, start: datetime | None) -> float | None:
    """Seconds since the start of the launch: from an ISO time, or from a number that is seconds already."""
    seconds = finite(printed)
    if seconds is not None:
        return seconds
    at = moment(printed) if isinstance(printed, str) else None
    if at is None or start is None or (at.tzinfo is None) != (start.tzinfo is None):
        return None
    return (at - start).total_seconds()
