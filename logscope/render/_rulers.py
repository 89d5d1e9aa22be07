"""Two small drawings: where a fraction may lie, and how far what is observed lies from what is computed."""

from __future__ import annotations

from markupsafe import Markup

from logscope.render import _svg
from logscope.render._numbers import amount, plain
from logscope.render._scale import Scale, ticks


def fraction_bar(lo: float | None, hi: float | None, now: float | None, floor: float | None) -> Markup:
    """The fractions from 0 to 1: the usable range as a bar, the value in force as a dot, the floor as a notch."""
    x = Scale(0.0, 1.0, 12.0, 348.0)
    drawn: list[str] = [_svg.element("rect", class_="rail", x=x(0), y=30, width=x(1) - x(0), height=10, rx=5)]
    said = []
    if lo is not None or hi is not None:
        begin, end = x.clipped(0.0 if lo is None else lo), x.clipped(1.0 if hi is None else hi)
        drawn.append(_svg.element("rect", class_="usable", x=begin, y=28, width=max(3.0, end - begin), height=14, rx=3))
        said.append(f"usable {plain(0.0 if lo is None else lo)} to {plain(1.0 if hi is None else hi)}")
    if floor is not None:
        at = x.clipped(floor)
        drawn.append(_svg.element("path", class_="floor", d=_svg.path([(at, 24), (at, 46)])))
        said.append(f"floor {plain(floor)}")
    if now is not None:
        at = x.clipped(now)
        drawn.append(_svg.element("path", class_="stem", d=_svg.path([(at, 17), (at, 29)])))
        drawn.append(_svg.element("circle", class_="now", cx=at, cy=35, r=6.5))
        anchor = "start" if at < 60 else "end" if at > 300 else "middle"
        drawn.append(_svg.element("text", plain(now), class_=f"label {anchor}", x=at, y=13))
        said.append(f"in force {plain(now)}")
    for tenths in (0, 2, 4, 6, 8, 10):
        drawn += [_svg.element("text", f"{tenths / 10:g}", class_="tick middle", x=x(tenths / 10), y=60)]
    desc = "; ".join(said) or "no value is known"
    return _svg.drawing("fraction-bar", 360, 66, "Range of --mem-fraction-static", desc, *drawn, class_="drawing bar")


def gap_ruler(
    key: str,
    observed: tuple[float, float, float],
    computed: tuple[float, float, float],
    unit: str,
    names: tuple[str, str],
) -> Markup:
    """Both quantities as intervals (value, lo, hi) on one ruler, the distance between them drawn to scale."""
    values = [*observed, *computed]
    low, high = min(values), max(values)
    pad = (high - low) * 0.12 or abs(high) * 0.1 or 1.0
    if (low > 0 and low - pad < high * 0.25) or low <= 0 <= high:
        low = min(low, 0.0)
    high = max(high, 0.0) if high <= 0 and high + pad > low * 0.25 else high
    x = Scale(low - pad, high + pad, 14.0, 626.0)
    drawn: list[str] = [_svg.element("line", class_="axis", x1=14, x2=626, y1=72, y2=72)]
    for value in ticks(x.lo, x.hi, 6):
        drawn.append(
            _svg.element(
                "line",
                class_="zero" if value == 0 else "axis",
                x1=x(value),
                x2=x(value),
                y1=30 if value == 0 else 68,
                y2=76,
            )
        )
        drawn.append(_svg.element("text", amount(value), class_="tick middle", x=x(value), y=91))
    near, far = sorted((x(observed[0]), x(computed[0])))
    if far - near > 3:
        drawn.append(_svg.element("path", class_="distance", d=_svg.path([(near, 46), (far, 46)])))
    drawn += _held(x, observed, "observed", unit, apart=x(observed[0]) >= x(computed[0]))
    drawn += _held(x, computed, "computed", unit, apart=x(observed[0]) < x(computed[0]))
    desc = f"observed {names[0]} {amount(observed[0], unit)}; computed {names[1]} {amount(computed[0], unit)}"
    return _svg.drawing(key, 640, 98, "Observed against computed", desc, *drawn, class_="drawing ruler")


def _held(x: Scale, quantity: tuple[float, float, float], role: str, unit: str, *, apart: bool) -> list[str]:
    """One interval: a filled diamond when observed, an open circle when computed; its label on the outer side."""
    at, first, last = x(quantity[0]), x(quantity[1]), x(quantity[2])
    shapes: list[str] = []
    if last - first > 2:
        shapes.append(_svg.element("rect", class_=f"held {role}", x=first, y=40, width=last - first, height=12))
    if role == "observed":
        shapes.append(
            _svg.element(
                "path", class_="observed", d=_svg.path([(at, 37), (at + 9, 46), (at, 55), (at - 9, 46)], close="Z")
            )
        )
    else:
        shapes.append(_svg.element("circle", class_="computed", cx=at, cy=46, r=7))
    label = f"{role} {amount(quantity[0], unit)}"
    anchor = "end" if (apart and at > 320) or (not apart and at > 500) else "start"
    shift = 8.0 if anchor == "end" else -8.0
    row = 12.0 if role == "observed" else 28.0
    shapes.append(_svg.element("text", label, class_=f"label {anchor} {role}", x=at + shift, y=row))
    return shapes
