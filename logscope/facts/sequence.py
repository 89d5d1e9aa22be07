"""Which of two events of a launch came first, over its inputs: lines order within one, clocks between two.

The times of a launch are those of one clock: what the clocks of hosts differ by is taken off (`Launch.table`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

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


def _inputs(launch: Launch) -> dict[str, int]:
    paths = dict.fromkeys(piece.path for piece in launch.pieces)
    return launch.kept("sequence:inputs", lambda: {path: place for place, path in enumerate(paths)})


def _place(ref: LineRef, order: dict[str, int]) -> tuple[int, int]:
    return order.get(ref.path, len(order)), ref.line
