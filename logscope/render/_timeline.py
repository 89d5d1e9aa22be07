"""The timeline of one launch: lanes for phases, ranks, memory, requests, errors, on the clock that charts share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from logscope.render import _svg
from logscope.render._charts import LEFT, RIGHT, WIDTH, Mark, time_axis
from logscope.render._numbers import clock, duration, moment, offset
from logscope.render._reading import Report, finite, number, parts, text
from logscope.render._scale import Scale

_LANE, _TOP = 26.0, 18.0
_RANKS_UP_TO = 8
_CHARACTER = 6.3  # width of one at the size of the labels: only what fits is written into a bar
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LANES = {"memory": "memory", "request": "requests", "retraction": "requests", "failure": "errors", "signal": "errors"}


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
    """The phases that can be placed in time."""
    start = moment(text(launch, "start"))
    found = []
    for phase in parts(launch, "phases"):
        begin = _since(phase.get("start"), start)
        length = number(phase, "seconds")
        end = _since(phase.get("end"), start)
        if begin is not None and (length is not None or end is not None):
            found.append(
                Bar(
                    text(phase, "name"),
                    text(phase, "rank", "main"),
                    begin,
                    begin + length if length is not None else end or begin,
                )
            )
    return found


def events(launch: Report) -> list[Event]:
    """The moments in order of time; errors and warnings carry a letter."""
    found: list[Event] = []
    letters = 0
    for one in sorted(parts(launch, "events"), key=lambda e: number(e, "t") or 0.0):
        t = number(one, "t")
        if t is None:
            continue
        severity = text(one, "severity", "note")
        letter = ""
        if severity in ("error", "warning") and letters < len(_LETTERS) and text(one, "kind") != "gap":
            same = next((e for e in found if e.letter and e.said == text(one, "text") and abs(e.t - t) < 2), None)
            letter = same.letter if same else _LETTERS[letters]
            letters += 0 if same else 1
        found.append(
            Event(
                t,
                text(one, "time"),
                text(one, "rank"),
                text(one, "kind"),
                text(one, "text"),
                severity,
                number(one, "seconds") or 0.0,
                letter,
                one,
            )
        )
    return found


def marks(found: Sequence[Event], ready_s: float | None) -> list[Mark]:
    """What the charts show of the events: each letter once, and the moment of being ready."""
    seen: dict[str, Mark] = {}
    for event in found:
        if event.letter:
            seen.setdefault(event.letter, Mark(event.t, event.letter, event.severity))
    ready = [Mark(ready_s, "ready", "note")] if ready_s is not None else []
    return sorted([*seen.values(), *ready], key=lambda m: m.t)


def timeline(launch: Report, key: str, end_s: float, found: Sequence[Event]) -> Markup:
    """The drawing; the same is told in words by the table below it."""
    start = moment(text(launch, "start"))
    x = Scale(0.0, end_s, LEFT, RIGHT)
    lanes = _lanes(bars(launch), found)
    height = _TOP + _LANE * len(lanes) + 24
    bottom = _TOP + _LANE * len(lanes)
    drawn: list[str] = [_svg.element("rect", class_="ground", x=LEFT, y=_TOP, width=RIGHT - LEFT, height=bottom - _TOP)]
    inside: list[str] = []
    for row, (label, lane_bars, lane_events) in enumerate(lanes):
        at = _TOP + row * _LANE
        drawn.append(_svg.element("text", label, class_="lane end", x=LEFT - 8, y=at + 17))
        drawn.append(_svg.element("line", class_="grid", x1=LEFT, x2=RIGHT, y1=at + _LANE, y2=at + _LANE))
        inside += [_bar(bar, x, at, index) for index, bar in enumerate(lane_bars)]
        inside += [_event(event, x, at + _LANE / 2) for event in lane_events]
    inside += [_gap(event, x, _TOP, bottom) for event in found if event.kind == "gap"]
    clip = _svg.element(
        "clipPath", _svg.element("rect", x=LEFT - 6, y=0, width=RIGHT - LEFT + 12, height=height), id=f"{key}-clip"
    )
    desc = f"{len(bars(launch))} phases and {len(found)} events in {duration(end_s)}; the table below lists them."
    hatch = _svg.element(
        "pattern",
        _svg.element("path", class_="hatch", d="M0,6L6,0"),
        id=f"{key}-hatch",
        width=6,
        height=6,
        patternUnits="userSpaceOnUse",
    )
    plot = _svg.group(inside, clip_path=f"url(#{key}-clip)")
    return _svg.drawing(
        key,
        WIDTH,
        height,
        "Timeline of the launch",
        desc,
        clip,
        hatch,
        *drawn,
        plot,
        time_axis(x, bottom, start),
        class_="drawing plot",
    )


def table(found: Sequence[Event]) -> list[dict[str, Any]]:
    """The events in words."""
    return [
        {
            "letter": e.letter,
            "time": e.time or offset(e.t),
            "rank": e.rank,
            "kind": e.kind,
            "said": e.said,
            "severity": e.severity,
            "seconds": duration(e.seconds) if e.seconds else "",
            "source": e.source,
        }
        for e in found
    ]


def phase_table(launch: Report) -> list[dict[str, str]]:
    """The phases in words: one row a name, the ranks that differ told as a range of durations."""
    start = moment(text(launch, "start"))
    by_name: dict[str, list[Bar]] = {}
    for bar in bars(launch):
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


def _lanes(found: list[Bar], happened: Sequence[Event]) -> list[tuple[str, list[Bar], list[Event]]]:
    ranks = sorted({bar.rank for bar in found} - {"main"}, key=_natural)
    whole = [bar for bar in found if bar.rank == "main"]
    lanes: list[tuple[str, list[Bar], list[Event]]] = []
    if whole:
        lanes.append(("life cycle", whole, [e for e in happened if e.kind == "phase" and e.rank in ("main", "")]))
    if len(ranks) > _RANKS_UP_TO:
        lanes.append((f"{len(ranks)} ranks", _hull([bar for bar in found if bar.rank != "main"]), []))
    else:
        lanes += [(rank, [bar for bar in found if bar.rank == rank], []) for rank in ranks]
    for label in ("memory", "requests", "errors"):
        members = _distinct(
            [
                e
                for e in happened
                if _LANES.get(e.kind) == label or (label == "errors" and e.severity == "error" and e.kind not in _LANES)
            ]
        )
        if members:
            lanes.append((label, [], members))
    return lanes


def _hull(found: list[Bar]) -> list[Bar]:
    """Each phase once, from the first rank that enters it to the last that leaves."""
    hulls: dict[str, Bar] = {}
    for bar in found:
        old = hulls.get(bar.name, bar)
        hulls[bar.name] = Bar(bar.name, "", min(old.begin, bar.begin), max(old.end, bar.end))
    return list(hulls.values())


def _distinct(found: list[Event]) -> list[Event]:
    seen: dict[tuple[str, str, int], Event] = {}
    for event in found:
        seen.setdefault((event.kind, event.said, round(event.t)), event)
    return list(seen.values())


def _bar(bar: Bar, x: Scale, at: float, index: int) -> Markup:
    left, right = x(bar.begin), max(x(bar.end), x(bar.begin) + 1.5)
    name = bar.name.replace("_", " ")
    shape = _svg.element(
        "rect", class_=f"phase p{index % 3} movable", x=left, y=at + 4, width=right - left, height=_LANE - 8, rx=2
    )
    title = _svg.element("title", f"{name} {bar.rank}: {duration(bar.end - bar.begin)}")
    fits = len(name) * _CHARACTER + 8 < right - left
    label = _svg.element("text", name, class_="inbar movable", x=left + 5, y=at + 17) if fits else ""
    return _svg.group([title, shape, label])


def _event(event: Event, x: Scale, at: float) -> Markup:
    """A shape that says the severity without its colour: a diamond, a triangle, a dot."""
    place = x.clipped(event.t)
    title = _svg.element("title", f"{event.time or offset(event.t)} {event.rank} {event.severity}: {event.said}")
    if event.severity == "error":
        points = [(place, at - 7), (place + 7, at), (place, at + 7), (place - 7, at)]
    elif event.severity == "warning":
        points = [(place, at - 7), (place + 7, at + 5), (place - 7, at + 5)]
    else:
        points = [(place, at - 4), (place + 4, at), (place, at + 4), (place - 4, at)]
    shape = _svg.element("path", class_=f"event {event.severity} movable", d=_svg.path(points, close="Z"))
    label = (
        _svg.element("text", event.letter, class_=f"letter {event.severity} movable middle", x=place, y=at - 9)
        if event.letter
        else ""
    )
    return _svg.group([title, shape, label])


def _gap(event: Event, x: Scale, top: float, bottom: float) -> Markup:
    """A silence: hatched over all lanes. Its moment is the line after it, so it reaches back."""
    right = x.clipped(event.t)
    left = x.clipped(event.t - event.seconds)
    title = _svg.element("title", f"{event.said} ({duration(event.seconds)})")
    fits = right - left > 40
    label = (
        _svg.element("text", "silent", class_="gapname movable middle", x=(left + right) / 2, y=top - 5) if fits else ""
    )
    return _svg.group(
        [
            title,
            _svg.element(
                "rect", class_="gap movable", x=left, y=top, width=max(2.0, right - left), height=bottom - top
            ),
            label,
        ]
    )


def _since(printed: object, start: datetime | None) -> float | None:
    """Seconds since the start of the launch: from an ISO time, or from a number that is seconds already."""
    seconds = finite(printed)
    if seconds is not None:
        return seconds
    at = moment(printed) if isinstance(printed, str) else None
    if at is None or start is None or (at.tzinfo is None) != (start.tzinfo is None):
        return None
    return (at - start).total_seconds()


def _natural(rank: str) -> tuple[object, ...]:
    """TP2 before TP10."""
    digits = "".join(c if c.isdigit() else " " for c in rank).split()
    return (*(int(d) for d in digits if len(d) < 10), rank)
