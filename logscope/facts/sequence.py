"""When a launch was, and which of two events of it came first: lines order within one input, clocks between two.

The times of a launch are those of one clock: what the clocks of hosts differ by is taken off (`Launch.table`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import pyarrow.compute as pc

from logscope.launch import Launch
from logscope.quantity import LineRef

Event = TypeVar("Event")
Placed = Callable[[Event], tuple[LineRef, float | None]]


def by_line(launch: Launch, events: Sequence[Event], where: Placed[Event]) -> list[Event]:
    """Events in the order of the lines of one input; those of several inputs merged by time, no line overtaking
    another of its input.
    """
    order = _inputs(launch)
    latest: dict[str, float] = {}
    keyed = []
    for event in sorted(events, key=lambda event: _place(where(event)[0], order)):
        ref, time = where(event)
        reached = latest.get(ref.path, float("-inf"))
        if time is not None:
            reached = max(reached, time)
        latest[ref.path] = reached
        keyed.append((reached if len(order) > 1 else 0.0, *_place(ref, order), event))
    return [item[-1] for item in sorted(keyed, key=lambda item: item[:-1])]


def by_time(
    launch: Launch, events: Sequence[Event], where: Placed[Event], last: Callable[[Event], bool] = lambda _: False
) -> list[Event]:
    """Events by time; one without a clock keeps its place behind the one before it in its input. Of those with the
    same time some may go last. In one input a second is one time: some lines have whole seconds of their own clock,
    and others the finer one of a wrapper.
    """
    order = _inputs(launch)
    whole = len({where(event)[0].path for event in events}) == 1
    latest: dict[str, float] = {}
    keyed = []
    for event in sorted(events, key=lambda event: _place(where(event)[0], order)):
        ref, time = where(event)
        if time is not None:
            latest[ref.path] = math.floor(time) if whole else time
        keyed.append((latest.get(ref.path, float("-inf")), last(event), *_place(ref, order), event))
    return [item[-1] for item in sorted(keyed, key=lambda item: item[:-1])]


def before(launch: Launch, one: tuple[LineRef, float | None], other: tuple[LineRef, float | None]) -> bool:
    """Whether an event came before another; between inputs without clocks the order of the pieces tells."""
    (ref, time), (other_ref, other_time) = one, other
    if ref.path == other_ref.path:
        return ref.line < other_ref.line
    if time is not None and other_time is not None:
        times = time, other_time
        if times[0] != times[1]:
            return times[0] < times[1]
    order = _inputs(launch)
    return _place(ref, order) < _place(other_ref, order)


def span(launch: Launch) -> tuple[float | None, float | None]:
    """The earliest and the latest printed time of a launch, in seconds since 1970-01-01; None without a clock."""
    return launch.kept("sequence:span", lambda: _span(launch))


def _span(launch: Launch) -> tuple[float | None, float | None]:
    lows, highs = [], []
    for name in launch.tables:
        table = launch.table(name)
        if "time" in table.column_names and table.num_rows:
            ends = pc.min_max(table["time"].cast("int64")).as_py()
            if ends["min"] is not None:
                lows.append(ends["min"] / 1000)
                highs.append(ends["max"] / 1000)
    return min(lows, default=None), max(highs, default=None)


def _inputs(launch: Launch) -> dict[str, int]:
    paths = dict.fromkeys(piece.path for piece in launch.pieces)
    return launch.kept("sequence:inputs", lambda: {path: place for place, path in enumerate(paths)})


def _place(ref: LineRef, order: dict[str, int]) -> tuple[int, int]:
    return order.get(ref.path, len(order)), ref.line
