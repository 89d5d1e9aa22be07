"""The memory of one rank as a waterfall: from the total down to what is left, part by part.

A part that is larger than what is left runs past zero, and stays there: nothing is clamped. What the parts do not
account for is a hatched block of its own, negative when they exceed the total.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup

from logscope.render import _svg
from logscope.render._lines import Quoted
from logscope.render._numbers import amount, between
from logscope.render._reading import Report, number, part, parts, text
from logscope.render._scale import Scale, ticks

_LEFT, _RIGHT, _WIDTH, _ROW, _TOP = 178.0, 610.0, 720.0, 26.0, 8.0
_LEFT_OVER = ("free", "outside", "left")  # how a part is named that is what remains


class Step(NamedTuple):
    """One block: it spans from `begin` to `end`; `lo` and `hi` are the ends of its uncertain edge."""

    name: str
    kind: str  # total | printed | computed | unexplained | settled (unexplained, and rounding explains it)
    value: float
    begin: float
    end: float
    lo: float
    hi: float
    source: Report


def waterfall(memory: Report, key: str, lines: Quoted) -> dict[str, Any]:
    """The drawing and its table; `svg` is empty when no total and no part is known."""
    unit = text(memory, "unit", "GiB")
    steps = _steps(memory)
    rows = [
        {
            "name": s.name,
            "kind": "explained by rounding" if s.kind == "settled" else s.kind,
            "value": amount(s.value, unit),
            "between": between(number(s.source, "lo"), number(s.source, "hi")),
            "ref": lines.line_of(s.source),
            "why": text(s.source, "why") or text(s.source, "equation"),
        }
        for s in steps
    ]
    over = _exceeds(memory, steps)
    return {
        "rank": text(memory, "rank"),
        "svg": _drawn(steps, key, unit, text(memory, "rank")) if steps else "",
        "rows": rows,
        "over": over,
    }


def worst_first(memories: list[Report]) -> list[Report]:
    """The ranks, the one with the largest unexplained part first; equal ones stay in order."""
    return sorted(memories, key=lambda m: -abs(number(part(m, "unexplained"), "value") or 0.0))


def _exceeds(memory: Report, steps: list[Step]) -> bool:
    """Whether the parts exceed the total for every value in the intervals, so that rounding does not explain it."""
    unexplained = part(memory, "unexplained")
    value, hi = number(unexplained, "value"), number(unexplained, "hi")
    if value is not None:
        return (value if hi is None else hi) < 0
    return len(steps) > 1 and steps[-1].hi < 0


def _steps(memory: Report) -> list[Step]:
    """The total, the parts in order, and what no line explains: before what is left, when the last part is that."""
    total = part(memory, "total")
    whole = number(total, "value")
    blocks = [(text(one, "name"), text(one, "from", "printed"), one) for one in parts(memory, "parts")]
    unexplained = part(memory, "unexplained")
    if number(unexplained, "value") is not None:
        lo, hi = _ends(unexplained, number(unexplained, "value") or 0.0)
        kind = "settled" if lo <= 0 <= hi else "unexplained"
        last = bool(blocks) and blocks[-1][0].startswith(_LEFT_OVER)
        blocks.insert(len(blocks) - last, ("unexplained", kind, unexplained))
    rest = whole or 0.0
    steps = []
    if whole is not None:
        steps.append(Step(text(total, "name", "total"), "total", whole, 0.0, whole, *_ends(total, whole), total))
    for name, kind, one in blocks:
        value = number(one, "value")
        if value is not None:
            lo, hi = _ends(one, value)
            steps.append(Step(name, kind, value, rest, rest - value, rest - hi, rest - lo, one))
            rest -= value
    return steps


def _ends(holder: Report, value: float) -> tuple[float, float]:
    lo, hi = number(holder, "lo"), number(holder, "hi")
    return (value if lo is None else lo, value if hi is None else hi)


def _drawn(steps: list[Step], key: str, unit: str, rank: str) -> Markup:
    low = min(0.0, *(min(s.begin, s.end, s.lo) for s in steps))
    high = max(max(s.begin, s.end, s.hi) for s in steps)
    x = Scale(low, high if high > low else low + 1, _LEFT, _RIGHT)
    bottom = _TOP + _ROW * len(steps)
    drawn: list[str] = [
        _svg.element(
            "pattern",
            _svg.element("path", class_="hatch", d="M0,6L6,0"),
            id=f"{key}-hatch",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
        )
    ]
    for value in ticks(x.lo, x.hi, 6):
        drawn.append(
            _svg.element("line", class_="zero" if value == 0 else "grid", x1=x(value), x2=x(value), y1=_TOP, y2=bottom)
        )
        drawn.append(_svg.element("text", amount(value), class_="tick middle", x=x(value), y=bottom + 16))
    for row, step in enumerate(steps):
        drawn += _block(step, x, _TOP + row * _ROW, unit, key)
        if row + 1 < len(steps):
            drawn.append(
                _svg.element(
                    "line",
                    class_="link",
                    x1=x(step.end),
                    x2=x(step.end),
                    y1=_TOP + row * _ROW + 4,
                    y2=_TOP + (row + 2) * _ROW - 4,
                )
            )
    said = ", ".join(f"{s.name} {amount(s.value, unit)}" for s in steps)
    return _svg.drawing(
        key, _WIDTH, bottom + 24, f"Memory of {rank or 'the device'}", said, *drawn, class_="drawing waterfall"
    )


def _block(step: Step, x: Scale, at: float, unit: str, key: str) -> list[str]:
    left, right = sorted((x(step.begin), x(step.end)))
    width = max(1.5, right - left)
    shapes: list[str] = [
        _svg.element("rect", class_=f"block {step.kind}", x=left, y=at + 4, width=width, height=_ROW - 8)
    ]
    if step.kind == "unexplained":
        shapes.append(_svg.element("rect", fill=f"url(#{key}-hatch)", x=left, y=at + 4, width=width, height=_ROW - 8))
    first, last = x(step.lo), x(step.hi)
    middle = at + _ROW / 2
    if step.lo != step.hi:
        shapes.append(
            _svg.element(
                "path",
                class_="whisker",
                d=_svg.path([(first, middle - 4), (first, middle + 4)])
                + _svg.path([(first, middle), (last, middle)])
                + _svg.path([(last, middle - 4), (last, middle + 4)]),
            )
        )
    shapes.append(_svg.element("text", step.name, class_="label end", x=_LEFT - 10, y=at + 17))
    shapes.append(_svg.element("text", amount(step.value, unit), class_="value", x=_RIGHT + 12, y=at + 17))
    return shapes
