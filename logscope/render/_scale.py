"""Scales and ticks: from a value to a place on the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from the values [lo, hi] to the places [start, end]."""

    lo: float
    hi: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.hi == self.lo:
            return self.start
        return self.start + (value - self.lo) / (self.hi - self.lo) * (self.end - self.start)

    def clipped(self, value: float) -> float:
        """The place, never outside the paper."""
        low, high = sorted((self.start, self.end))
        return min(high, max(low, self(value)))


def ticks(lo: float, hi: float, wanted: int) -> list[float]:
    """Round values inside [lo, hi], about as many as wanted."""
    if not hi > lo:
        return [lo]
    raw = (hi - lo) / max(1, wanted)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * 0.999)
    first = math.ceil(lo / step - 1e-9)
    last = math.floor(hi / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def time_ticks(lo_s: float, hi_s: float, wanted: int, zero_s: float = 0.0) -> list[float]:
    """Round moments inside [lo, hi]: seconds, minutes, hours, days of a clock that shows `zero_s` at 0."""
    span_s = hi_s - lo_s
    if not span_s > 0:
        return [lo_s]
    step = next((s for s in _STEPS_S if span_s / s <= wanted), 86400 * math.ceil(span_s / 86400 / wanted))
    first, last = math.ceil((lo_s + zero_s) / step), math.floor((hi_s + zero_s) / step)
    return [k * step - zero_s for k in range(first, last + 1)]


def top(value: float) -> float:
    """The smallest round number that is not below the value: the upper end of an axis."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if factor * power >= value * 0.9999)
