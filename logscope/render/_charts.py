"""Charts over time: one panel a subject, all on the same clock, hand-written as SVG.

A band is what a bin holds, from its least to its largest value; several ranks share one band and keep a thin line each
up to eight. Points that are artefacts of an interval (flag 1) are drawn as crosses and never joined or scaled to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from logscope.render import _svg
from logscope.render._clock import Clock
from logscope.render._numbers import amount, plain
from logscope.render._reading import Report
from logscope.render._scale import Scale, ticks, time_ticks, top
from logscope.render._series import Line, Point, envelope, panels_of, runs

LEFT, RIGHT, WIDTH = 92.0, 872.0, 960.0
_TOP, _BOTTOM, _HEIGHT = 16.0, 128.0, 150.0
_TABLE_ROWS = 48
_LINES_UP_TO = 8
_COLOURS = 6
_SEVERITIES = ("error", "warning", "note")
_CLOSE = 13.0  # letters nearer than this would overlap


class Mark(NamedTuple):
    """A moment that all charts show."""

    t: float
    letter: str
    severity: str  # error | warning | note


def panels(series: Sequence[Report], key: str, clock: Clock, marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """One view a panel, in a fixed order of subjects."""
    return [
        _panel(f"{key}-{number}", subject, unit, lines, clock, marks)
        for number, (subject, unit, lines) in enumerate(panels_of(series))
    ]


def _panel(key: str, subject: str, unit: str, lines: list[Line], clock: Clock, marks: Sequence[Mark]) -> dict[str, Any]:
    by_name: dict[str, list[Line]] = {}
    for line in lines:
        by_name.setdefault(line.name, []).append(line)
    true = [p for line in lines for p in line.points if not p.flag] or [p for line in lines for p in line.points]
    low = min(0.0, *(p.lo for p in true))
    high = 1.0 if unit == "share" and max(p.hi for p in true) <= 1 else top(max(p.hi for p in true))
    x, y = Scale(clock.begin_s, clock.end_s, LEFT, RIGHT), Scale(low, high, _BOTTOM, _TOP)
    drawn: list[str] = [_grid(x, y, unit, clock), _marks(x, marks)]
    legend = []
    for colour, (name, members) in enumerate(by_name.items(), 1):
        shade = f"c{(colour - 1) % _COLOURS + 1}"
        drawn.append(_svg.group(_drawn(members, x, y), class_=f"series {shade}", clip_path=f"url(#{key}-clip)"))
        legend.append(_legend(members, shade, unit, name))
    drawn.append(_ends(legend, y))
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
        "table": _table(lines, unit, clock),
        "ranks": sorted({line.rank for line in lines}),
    }


def _grid(x: Scale, y: Scale, unit: str, clock: Clock) -> Markup:
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
    return _svg.group([*parts, time_axis(x, _BOTTOM, clock)])


def time_axis(x: Scale, at: float, clock: Clock) -> Markup:
    """Ticks and times below a plot; the script redraws them when a reader zooms."""
    parts: list[str] = []
    for t in time_ticks(x.lo, x.hi, 8, clock.zero_s):
        parts.append(_svg.element("line", class_="axis", x1=x(t), x2=x(t), y1=at, y2=at + 4))
        parts.append(_svg.element("text", clock.at(t), class_="tick middle", x=x(t), y=at + 17))
    return _svg.group(parts, class_="times", data_y=at)


def _marks(x: Scale, marks: Sequence[Mark]) -> Markup:
    drawn = [
        _svg.element("line", class_=f"mark {m.severity}", x1=x.clipped(m.t), x2=x.clipped(m.t), y1=_TOP, y2=_BOTTOM)
        for m in marks
    ]
    return _svg.group([*drawn, letters(x, _TOP - 4, marks)], class_="marks movable")


def letters(x: Scale, at: float, marks: Sequence[Mark]) -> Markup:
    """The letters of the marks above their places; those too close to be told apart share one label, `b–d`."""
    groups: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda m: m.t):
        if (
            groups
            and x.clipped(mark.t) - x.clipped(groups[-1][-1].t) < _CLOSE
            and len(groups[-1][-1].letter) == len(mark.letter)
        ):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    drawn = []
    for group in groups:
        names = list(dict.fromkeys(m.letter for m in group))
        label = names[0] if len(names) == 1 else f"{names[0]}–{names[-1]}"
        middle = (x.clipped(group[0].t) + x.clipped(group[-1].t)) / 2
        worst = min((m.severity for m in group), key=_SEVERITIES.index)
        drawn.append(_svg.element("text", label, class_=f"letter {worst} middle movable", x=middle, y=at))
    return _svg.group(drawn)


def _drawn(members: list[Line], x: Scale, y: Scale) -> list[str]:
    shapes: list[str] = []
    for run in runs(envelope(members), x.hi - x.lo):
        upper = [(x(p.t), y(p.hi)) for p in run]
        lower = [(x(p.t), y(p.lo)) for p in reversed(run)]
        if upper != lower[::-1]:
            shapes.append(_svg.element("path", class_="band movable", d=_svg.path(upper + lower, close="Z")))
    lines = members if len(members) <= _LINES_UP_TO else [replace(members[0], points=envelope(members))]
    for line in lines:
        thin = " thin" if len(members) > 1 else ""
        for run in runs([p for p in line.points if not p.flag], x.hi - x.lo, line.points):
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
        "last": plain(last.hi) if last.lo == last.hi else f"{plain(last.lo)}…{plain(last.hi)}",
        "end": (last.lo + last.hi) / 2,
        "summary": f"{plain(lo)} to {amount(hi, unit)}, last {_range(last.lo, last.hi, unit)}"
        + (f", {rows:,} rows" if rows else "")
        + ranks,
    }


def _range(lo: float, hi: float, unit: str) -> str:
    return amount(hi, unit) if lo == hi else f"{plain(lo)} … {amount(hi, unit)}"


def _ends(legend: Sequence[dict[str, Any]], y: Scale) -> Markup:
    """The last values, written where the lines end; pushed apart where they would overlap."""
    drawn, floor = [], _BOTTOM + 4
    for entry in sorted(legend, key=lambda e: y.clipped(e["end"]), reverse=True):
        at = min(y.clipped(entry["end"]) + 4, floor)
        floor = at - 12
        drawn.append(_svg.element("text", entry["last"], class_=f"endvalue {entry['shade']}", x=RIGHT + 6, y=at))
    return _svg.group(drawn)


def _table(lines: list[Line], unit: str, clock: Clock) -> dict[str, Any]:
    """The numbers of a panel, at most 48 rows: the least and largest value of each stretch."""
    moments = sorted({p.t for line in lines for p in line.points})
    step = max(1, -(-len(moments) // _TABLE_ROWS))
    edges = [*moments[::step], float("inf")]
    shown = lines if len(lines) <= _LINES_UP_TO else lines[:_LINES_UP_TO]
    rows = []
    for begin, end in pairwise(edges):
        cells = [clock.at(begin)]
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
