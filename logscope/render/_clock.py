"""The clock of one launch: all its drawings show the same stretch of time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from logscope.render._numbers import clock, moment
from logscope.render._reading import Report, number, part, text

_EMPTY_SHARE = 0.15  # of the whole: a longer silence before the first thing that is drawn is left out
_MARGIN_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds since the start of the launch, from `begin_s` to `end_s`; `start` is what the log printed for 0."""

    start: datetime | None
    begin_s: float
    end_s: float

    def at(self, t: float) -> str:
        """The time of day at a moment, or the seconds since the start."""
        return clock(self.start, t)

    @property
    def zero_s(self) -> float:
        """Seconds since midnight at 0, so that ticks stand at round times of day."""
        if self.start is None:
            return 0.0
        return (self.start - self.start.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()


def clock_of(launch: Report, moments: Iterable[float]) -> Clock:
    """The clock of a launch that draws things at these moments."""
    start = moment(text(launch, "start"))
    drawn = [t for t in moments if abs(t) < 1e12]
    end = max([number(part(launch, "seconds"), "end") or 0.0, *drawn, 0.0]) or 1.0
    first = min(drawn, default=0.0)
    begin = min(0.0, first)
    if first > end * _EMPTY_SHARE and end > first:
        begin = first - (end - first) * _MARGIN_SHARE
    return Clock(start, begin, end)
