"""A number as far as a log tells it: an interval, a unit, and the line that printed it.

A log prints `21.70`, so the value lies in [21.695, 21.705]. Arithmetic rounds outward, so an interval always contains
the true value; a comparison is certain only if every value in the intervals agrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

Origin = Literal["printed", "computed", "solved"]


@dataclass(frozen=True, slots=True, order=True)
class LineRef:
    """A physical line of an input: its path as given and its number, counted from 1."""

    path: str
    line: int


def _down(value: float) -> float:
    return math.nextafter(value, -math.inf) if math.isfinite(value) else value


def _up(value: float) -> float:
    return math.nextafter(value, math.inf) if math.isfinite(value) else value


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval; `lo > hi` is the empty one."""

    lo: float
    hi: float

    @classmethod
    def exact(cls, value: float) -> Interval:
        """The interval that holds one value only."""
        return cls(float(value), float(value))

    @classmethod
    def printed(cls, value: float, decimals: int) -> Interval:
        """All values that print as `value` with so many decimals: half a unit of the last digit to each side."""
        half = 0.5 * 10.0**-decimals
        return cls(_down(value - half), _up(value + half))

    @property
    def empty(self) -> bool:
        return self.lo > self.hi

    @property
    def width(self) -> float:
        return self.hi - self.lo

    @property
    def mid(self) -> float:
        if math.isinf(self.lo) or math.isinf(self.hi):
            return self.lo if math.isfinite(self.lo) else self.hi
        return self.lo + (self.hi - self.lo) / 2

    def __contains__(self, value: float) -> bool:
        return self.lo <= value <= self.hi

    def meet(self, other: Interval) -> Interval:
        """What both intervals hold; empty when they are disjoint."""
        return Interval(max(self.lo, other.lo), min(self.hi, other.hi))

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def disjoint(self, other: Interval) -> bool:
        return self.hi < other.lo or other.hi < self.lo

    def widened(self, by: float) -> Interval:
        return Interval(_down(self.lo - by), _up(self.hi + by))

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __add__(self, other: Interval | float) -> Interval:
        that = _interval(other)
        return Interval(_down(self.lo + that.lo), _up(self.hi + that.hi))

    def __sub__(self, other: Interval | float) -> Interval:
        return self + -_interval(other)

    def __mul__(self, other: Interval | float) -> Interval:
        that = _interval(other)
        ends = [_product(a, b) for a in (self.lo, self.hi) for b in (that.lo, that.hi)]
        return Interval(_down(min(ends)), _up(max(ends)))

    def __truediv__(self, other: Interval | float) -> Interval:
        that = _interval(other)
        if that.lo <= 0 <= that.hi:
            if that.lo == 0 == that.hi or 0 in self:
                return Interval(-math.inf, math.inf)
            if that.lo < 0 < that.hi:
                return Interval(-math.inf, math.inf)
            pole = math.inf if (self.lo > 0) == (that.hi > 0) else -math.inf
            finite = [a / b for a in (self.lo, self.hi) for b in (that.lo, that.hi) if b != 0]
            return Interval(_down(min([*finite, pole])), _up(max([*finite, pole])))
        ends = [a / b for a in (self.lo, self.hi) for b in (that.lo, that.hi)]
        return Interval(_down(min(ends)), _up(max(ends)))

    def __radd__(self, other: float) -> Interval:
        return self + other

    def __rsub__(self, other: float) -> Interval:
        return -self + other

    def __rmul__(self, other: float) -> Interval:
        return self * other

    def __rtruediv__(self, other: float) -> Interval:
        return _interval(other) / self


def _interval(value: Interval | float) -> Interval:
    return value if isinstance(value, Interval) else Interval.exact(value)


def _product(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named number with its interval, its unit and where it comes from.

    `value` is the number as printed (or the middle of a computed interval); `line` is absent for what no line printed;
    `equation` says how a computed one was derived.
    """

    name: str
    value: float
    interval: Interval
    unit: str = ""
    line: LineRef | None = None
    origin: Origin = "printed"
    rank: str | None = None
    equation: str | None = None

    @classmethod
    def computed(cls, name: str, interval: Interval, unit: str, equation: str, rank: str | None = None) -> Quantity:
        """What follows from other quantities by an equation."""
        return cls(name, interval.mid, interval, unit, None, "computed", rank, equation)

    def named(self, name: str) -> Quantity:
        return replace(self, name=name)
