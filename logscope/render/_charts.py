"""Charts over time: one panel a subject, all on the same clock, hand-written as SVG.

A band is what a bin holds, from its least to its largest value; several ranks share one band and keep a thin line each
up to eight. Points that are artefacts of an interval (flag 1) are drawn as crosses and never joined or scaled to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from markupsafe import Markup

from logscope.render import _svg
from logscope.render._numbers import amount, clock, plain
from logscope.render._reading import Report, finite, text, whole
from logscope.render._scale import Scale, ticks, time_ticks, top

LEFT, RIGHT, WIDTH = 92.0, 872.0, 960.0
_TOP, _BOTTOM, _HEIGHT = 16.0, 128.0, 150.0
_TABLE_ROWS = 48
_LINES_UP_TO = 8
_COLOURS = 6

# What belongs on one panel; the first pattern that a series' name holds decides.
_SUBJECTS = (
    ("usage", "Token usage", re.compile(r"usage")),
    ("throughput", "Throughput", re.compile(r"throughput|tok_s$")),
    ("accept", "Speculative decoding: accepted", re.compile(r"accept")),
    ("cache", "Prefix cache", re.compile(r"cache_hit|cached")),
    ("retractions", "Retractions", re.compile(r"retract")),
    ("http", "HTTP responses", re.compile(r"http|status")),
    ("memory", "Free device memory", re.compile(r"avail.*gib|memory|_gib$")),
    ("requests", "Requests", re.compile(r"running|queue|pending|requests")),
)


class Point(NamedTuple):
    """One bin."""

    t: float
    lo: float
    hi: float
    flag: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One series of one rank, and where it stands in the launch's list (the script reads its values there)."""

    index: int
    name: str
    label: str
    rank: str
    rows: int
    points: list[Point]


class Mark(NamedTuple):
    """A moment that all charts show."""

    t: float
    letter: str
    severity: str


def panels(
    series: Sequence[Report], key: str, end_s: float, start: datetime | None, marks: Sequence[Mark]
) -> list[dict[str, Any]]:
    """One view a panel, in a fixed order of subjects."""
    grouped: dict[tuple[int, str, str], list[Line]] = {}
    for index, one in enumerate(series):
        points = _points(one)
        if points:
            place, subject = _subject(text(one, "name"))
            line = Line(
                index,
                text(one, "name"),
                text(one, "label") or text(one, "name"),
                text(one, "rank"),
                whole(one, "rows"),
                points,
            )
            grouped.setdefault((place, subject, text(one, "unit")), []).append(line)
    return [
        _panel(f"{key}-{number}", subject, unit, lines, end_s, start, marks)
        for number, ((_, subject, unit), lines) in enumerate(sorted(grouped.items(), key=lambda item: item[0][0]))
    ]


def last_moment(series: Sequence[Report]) -> float:
    """The last time that any series holds, in seconds since the start."""
    return max((finite(t) or 0.0 for one in series for t in (one.get("t") or ())[-1:]), default=0.0)


def _subject(name: str) -> tuple[int, str]:
    for place, (_, title, pattern) in enumerate(_SUBJECTS):
        if pattern.search(name):
            return place, title
    return len(_SUBJECTS), name.replace("_", " ")


def _points(one: Report) -> list[Point]:
    los, his, flags = one.get("lo") or (), one.get("hi") or (), one.get("flags") or ()
    points = []
    for i, t in enumerate(one.get("t") or ()):
        lo, hi = (finite(values[i]) if i < len(values) else None for values in (los, his))
        if (at := finite(t)) is not None and lo is not None and hi is not None:
            points.append(Point(at, lo, hi, i < len(flags) and bool(flags[i])))
    return points


def _panel(
    key: str, subject: str, unit: str, lines: list[Line], end_s: float, start: datetime | None, marks: Sequence[Mark]
) -> dict[str, Any]:
    by_name: dict[str, list[Line]] = {}
    for line in lines:
        by_name.setdefault(line.name, []).append(line)
    true = [p for line in lines for p in line.points if not p.flag] or [p for line in lines for p in line.points]
    low = min(0.0, *(p.lo for p in true))
    high = 1.0 if unit == "share" and max(p.hi for p in true) <= 1 else top(max(p.hi for p in true))
    x, y = Scale(0.0, end_s, LEFT, RIGHT), Scale(low, high, _BOTTOM, _TOP)
    drawn: list[str] = [_grid(x, y, unit, start), _marks(x, marks)]
    legend = []
    for colour, (name, members) in enumerate(by_name.items(), 1):
        shade = f"c{(colour - 1) % _COLOURS + 1}"
        drawn.append(_svg.group(_drawn(members, x, y), class_=f"series {shade}", clip_path=f"url(#{key}-clip)"))
        legend.append(_legend(members, shade, unit, name))
    desc = ". ".join(f"{entry['label']}: {entry['summary']}" for entry in legend)
    clip = _svg.element(
        "clipPath", _svg.element("rect", x=LEFT, y=0, width=RIGHT - LEFT, height=_HEIGHT), id=f"{key}-clip"
    )
    return {
        "key": key,
        "title": subject,
        "unit": unit,
        "svg": _svg.drawing(key, WIDTH, _HEIGHT, f"{subject} over time", desc, clip, *drawn, class_="drawing plot"),
        "legend": legend,
        "artefacts": sum(p.flag for line in lines for p in line.points),
        "table": _table(lines, unit, start),
        "ranks": sorted({line.rank for line in lines}),
    }


def _grid(x: Scale, y: Scale, unit: str, start: datetime | None) -> Markup:
    parts = [_svg.element("rect", class_="ground", x=LEFT, y=_TOP, width=RIGHT - LEFT, height=_BOTTOM - _TOP)]
    for value in ticks(y.lo, y.hi, 2):
        parts.append(_svg.element("line", class_="grid", x1=LEFT, x2=RIGHT, y1=y(value), y2=y(value)))
        parts.append(
            _svg.element(
                "text",
                plain(value) if unit == "share" else amount(value),
                class_="tick end",
                x=LEFT - 8,
                y=y(value) + 4,
            )
        )
    return _svg.group([*parts, time_axis(x, _BOTTOM, start)])


def time_axis(x: Scale, at: float, start: datetime | None) -> Markup:
    """Ticks and times below a plot; the script redraws them when a reader zooms."""
    parts: list[str] = []
    for t in time_ticks(x.lo, x.hi, 8):
        parts.append(_svg.element("line", class_="axis", x1=x(t), x2=x(t), y1=at, y2=at + 4))
        parts.append(_svg.element("text", clock(start, t), class_="tick middle", x=x(t), y=at + 17))
    return _svg.group(parts, class_="times", data_y=at)


def _marks(x: Scale, marks: Sequence[Mark]) -> Markup:
    drawn: list[str] = []
    last = -100.0
    for mark in marks:
        place = x.clipped(mark.t)
        drawn.append(_svg.element("line", class_=f"mark {mark.severity}", x1=place, x2=place, y1=_TOP, y2=_BOTTOM))
        if place - last >= 11:
            drawn.append(
                _svg.element("text", mark.letter, class_=f"letter {mark.severity} middle", x=place, y=_TOP - 4)
            )
            last = place
    return _svg.group(drawn, class_="marks movable")


def _drawn(members: list[Line], x: Scale, y: Scale) -> list[str]:
    shapes: list[str] = []
    for run in _runs(_envelope(members)):
        upper = [(x(p.t), y(p.hi)) for p in run]
        lower = [(x(p.t), y(p.lo)) for p in reversed(run)]
        if upper != lower[::-1]:
            shapes.append(_svg.element("path", class_="band movable", d=_svg.path(upper + lower, close="Z")))
    lines = members if len(members) <= _LINES_UP_TO else [replace(members[0], points=_envelope(members))]
    for line in lines:
        thin = " thin" if len(members) > 1 else ""
        for run in _runs([p for p in line.points if not p.flag], cut_at=line.points):
            places = [(x(p.t), y((p.lo + p.hi) / 2)) for p in run]
            if len(places) == 1:
                places.append((places[0][0] + 1.5, places[0][1]))
            shapes.append(_svg.element("path", class_=f"line movable{thin}", d=_svg.path(places), data_rank=line.rank))
    for line in members:
        for p in line.points:
            if p.flag:
                at, height = x(p.t), y.clipped(p.hi)
                cross = _svg.path([(at - 3, height - 3), (at + 3, height + 3)]) + _svg.path(
                    [(at - 3, height + 3), (at + 3, height - 3)]
                )
                shapes.append(_svg.element("path", class_="artefact movable", d=cross))
    return shapes


def _envelope(members: list[Line]) -> list[Point]:
    """What all ranks together span, bin by bin."""
    if len(members) == 1:
        return [p for p in members[0].points if not p.flag]
    merged: dict[float, tuple[float, float]] = {}
    for line in members:
        for p in line.points:
            if not p.flag:
                lo, hi = merged.get(p.t, (p.lo, p.hi))
                merged[p.t] = (min(lo, p.lo), max(hi, p.hi))
    return [Point(t, lo, hi, False) for t, (lo, hi) in sorted(merged.items())]


def _runs(points: list[Point], cut_at: list[Point] | None = None) -> list[list[Point]]:
    """The points in pieces: a silence much longer than the usual step is a gap, not a line."""
    steps = [b.t - a.t for a, b in pairwise(points)]
    limit = 4 * median(steps) if len(steps) > 3 else float("inf")
    flagged = [p.t for p in cut_at or () if p.flag]
    pieces: list[list[Point]] = []
    for i, point in enumerate(points):
        if i and point.t - points[i - 1].t <= limit and not any(points[i - 1].t < t < point.t for t in flagged):
            pieces[-1].append(point)
        else:
            pieces.append([point])
    return pieces


def _legend(members: list[Line], shade: str, unit: str, name: str) -> dict[str, Any]:
    true = [p for line in members for p in line.points if not p.flag] or [p for line in members for p in line.points]
    lo, hi = min(p.lo for p in true), max(p.hi for p in true)
    last = max((line.points[-1] for line in members), key=lambda p: p.t)
    rows = sum(line.rows for line in members)
    ranks = "" if len(members) == 1 else f", {len(members)} ranks"
    return {
        "label": members[0].label,
        "name": name,
        "shade": shade,
        "indices": " ".join(str(line.index) for line in members),
        "last": amount(last.hi, unit),
        "summary": f"{plain(lo)} to {amount(hi, unit)}, last {amount(last.hi, unit)}"
        + (f", {rows:,} rows" if rows else "")
        + ranks,
    }


def _table(lines: list[Line], unit: str, start: datetime | None) -> dict[str, Any]:
    """The numbers of a panel, at most 48 rows: the least and largest value of each stretch."""
    moments = sorted({p.t for line in lines for p in line.points})
    step = max(1, -(-len(moments) // _TABLE_ROWS))
    edges = [*moments[::step], float("inf")]
    shown = lines if len(lines) <= _LINES_UP_TO else lines[:_LINES_UP_TO]
    rows = []
    for begin, end in pairwise(edges):
        cells = [clock(start, begin)]
        for line in shown:
            held = [p for p in line.points if begin <= p.t < end]
            cells.append(_cell(held))
        rows.append(cells)
    heads = [f"{line.label}{f' {line.rank}' if line.rank else ''}" + (f" ({unit})" if unit else "") for line in shown]
    return {"heads": heads, "rows": rows, "more": len(lines) - len(shown)}


def _cell(held: list[Point]) -> str:
    true = [p for p in held if not p.flag]
    if not true:
        return "artefact" if held else ""
    lo, hi = min(p.lo for p in true), max(p.hi for p in true)
    return plain(lo) if lo == hi else f"{plain(lo)} … {plain(hi)}"
