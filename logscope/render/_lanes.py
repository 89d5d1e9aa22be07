"""The timeline drawn: lanes for phases, ranks, memory, requests and errors, on the clock that the charts share."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from logscope.render import _svg
from logscope.render._charts import LEFT, RIGHT, WIDTH, Mark, letters, time_axis
from logscope.render._clock import Clock
from logscope.render._numbers import duration
from logscope.render._scale import Scale
from logscope.render._timeline import Bar, Event

_LANE, _TOP = 30.0, 18.0
_RANKS_UP_TO = 8
_BEYOND = 16  # right of the plot, for half of a label `b–d` at the end of the log, where failures are
_CHARACTER = 6.3  # width of one at the size of the labels: only what fits is written into a bar
_LANES = {"memory": "memory", "request": "requests", "retraction": "requests", "failure": "errors", "signal": "errors"}

Lane = tuple[str, list[Bar], list[Event]]


def timeline(phases: list[Bar], found: Sequence[Event], key: str, clock: Clock) -> Markup:
    """The drawing; the same is told in words by the tables below it."""
    x = Scale(clock.begin_s, clock.end_s, LEFT, RIGHT)
    lanes = _lanes(phases, found)
    bottom = _TOP + _LANE * len(lanes)
    ground = _svg.element("rect", class_="ground", x=LEFT, y=_TOP, width=RIGHT - LEFT, height=bottom - _TOP)
    silences = [_gap(event, x, _TOP, bottom, key) for event in found if event.kind == "gap"]
    drawn: list[str] = [_definitions(key, bottom + 24), ground]
    inside: list[str] = []
    for row, (label, _, _) in enumerate(lanes):
        at = _TOP + row * _LANE
        drawn.append(_svg.element("text", label, class_="lane end", x=LEFT - 8, y=at + _LANE / 2 + 4))
        drawn.append(_svg.element("line", class_="grid", x1=LEFT, x2=RIGHT, y1=at + _LANE, y2=at + _LANE))
        inside += _lane(lanes[row], x, at)
    drawn.append(_svg.group([*silences, *inside], clip_path=f"url(#{key}-clip)"))
    drawn.append(time_axis(x, bottom, clock))
    shown = duration(clock.end_s - clock.begin_s)
    desc = f"{len(phases)} phases and {len(found)} events in {shown}; the table below lists them."
    return _svg.drawing(key, WIDTH, bottom + 24, "Timeline of the launch", desc, *drawn, class_="drawing plot")


def _definitions(key: str, height: float) -> Markup:
    clip = _svg.element("rect", x=LEFT - 7, y=0, width=RIGHT - LEFT + 7 + _BEYOND, height=height)
    line = _svg.element("path", class_="hatch", d="M0,6L6,0")
    hatch = _svg.element("pattern", line, id=f"{key}-hatch", width=6, height=6, patternUnits="userSpaceOnUse")
    return _svg.element("defs", _svg.element("clipPath", clip, id=f"{key}-clip"), hatch)


def _lanes(found: list[Bar], happened: Sequence[Event]) -> list[Lane]:
    ranks = sorted({bar.rank for bar in found} - {"main"}, key=_natural)
    whole = [bar for bar in found if bar.rank == "main"]
    lanes: list[Lane] = []
    steps = _distinct([e for e in happened if e.kind == "phase" and e.severity == "note"])
    if whole or (steps and not found):
        lanes.append(("life cycle", whole, [] if whole else steps))
    if len(ranks) > _RANKS_UP_TO:
        lanes.append((f"{len(ranks)} ranks", _hull([bar for bar in found if bar.rank != "main"]), []))
    else:
        lanes += [(rank, [bar for bar in found if bar.rank == rank], []) for rank in ranks]
    for label in ("memory", "requests", "errors"):
        members = _distinct([e for e in happened if _of_lane(e, label)])
        if members:
            quiet = label == "errors" and all(e.severity == "note" for e in members)
            lanes.append(("signals" if quiet else label, [], members))
    return lanes


def _of_lane(event: Event, label: str) -> bool:
    if event.kind in _LANES:
        return _LANES[event.kind] == label
    return label == "errors" and event.kind != "gap" and event.severity != "note"


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


def _lane(lane: Lane, x: Scale, at: float) -> list[str]:
    _, phases, happened = lane
    middle = at + _LANE / 2
    drawn: list[str] = [_bar(bar, x, at, index) for index, bar in enumerate(phases)]
    on_top = {"note": 0, "warning": 1, "error": 2}
    drawn += [_event(event, x, middle + 3) for event in sorted(happened, key=lambda e: on_top[e.severity])]
    drawn.append(letters(x, middle - 6, [Mark(e.t, e.letter, e.severity) for e in happened if e.letter]))
    return drawn


def _bar(bar: Bar, x: Scale, at: float, index: int) -> Markup:
    left = x(bar.begin)
    width = max(1.5, x(bar.end) - left)
    name = bar.name.replace("_", " ")
    height = _LANE - 8
    shape = _svg.element(
        "rect", class_=f"phase p{index % 3} movable", x=left, y=at + 4, width=width, height=height, rx=2
    )
    title = _svg.element("title", f"{name} {bar.rank}: {duration(bar.end - bar.begin)}")
    fits = len(name) * _CHARACTER + 8 < width
    label = _svg.element("text", name, class_="inbar movable", x=left + 5, y=at + _LANE / 2 + 4) if fits else ""
    return _svg.group([title, shape, label])


def _event(event: Event, x: Scale, at: float) -> Markup:
    """A shape that says the severity without its colour: a diamond, a triangle, a small diamond."""
    place = x.clipped(event.t)
    title = _svg.element("title", f"{event.time} {event.rank} {event.severity}: {event.said}")
    if event.severity == "error":
        points = [(place, at - 6), (place + 6, at), (place, at + 6), (place - 6, at)]
    elif event.severity == "warning":
        points = [(place, at - 6), (place + 6, at + 5), (place - 6, at + 5)]
    else:
        points = [(place, at - 4), (place + 4, at), (place, at + 4), (place - 4, at)]
    shape = _svg.element("path", class_=f"event {event.severity} movable", d=_svg.path(points, close="Z"))
    return _svg.group([title, shape])


def _gap(event: Event, x: Scale, top: float, bottom: float, key: str) -> Markup:
    """A silence: hatched over all lanes, from the last line before it on."""
    left, right = x.clipped(event.t), x.clipped(event.t + event.seconds)
    size = {"x": left, "y": top, "width": max(2.0, right - left), "height": bottom - top}
    parts: list[str] = [
        _svg.element("title", f"{event.said} ({duration(event.seconds)})"),
        _svg.element("rect", class_="gap movable", **size),
        _svg.element("rect", class_="movable", fill=f"url(#{key}-hatch)", **size),
    ]
    if right - left > 50:
        name = f"silent {duration(event.seconds)}"
        parts.append(_svg.element("text", name, class_="gapname movable middle", x=(left + right) / 2, y=top - 5))
    return _svg.group(parts)


def _natural(rank: str) -> tuple[list[int], str]:
    """TP2 before TP10."""
    digits = "".join(c if c.isascii() and c.isdigit() else " " for c in rank).split()
    return [int(d) for d in digits if len(d) < 10], rank
