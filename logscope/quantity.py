"""A number as far as a log tells it: an interval, a unit, and the line that printed it.

A log prints `21.70`, so the value lies in [21.695, 21.705]. Arithmetic rounds outward, so an interval always contains
the true value; a comparison is certain only if every value in the intervals agrees.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Literal

from logscope import outward
from logscope.errors import UsageError
from logscope.outward import Pair

Origin = Literal["printed", "computed", "solved"]

_PRINTED = re.compile(r"([+-]?\d[\d,]*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?\s*([kKmM]?)")
_SUFFIX = {"": 0, "k": 3, "m": 6}


@dataclass(frozen=True, slots=True, order=True)
class LineRef:
    """A physical line of an input: its path as given and its number, counted from 1."""

    path: str
    line: int


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
        return cls(outward.down(value - half), outward.up(value + half))

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

    @property
    def pair(self) -> Pair:
        return (float(self.lo), float(self.hi))

    @property
    def finite(self) -> bool:
        return math.isfinite(self.lo) and math.isfinite(self.hi)

    def __contains__(self, value: float) -> bool:
        return self.lo <= value <= self.hi

    def meet(self, other: Interval) -> Interval:
        """What both intervals hold; empty when they are disjoint."""
        return Interval(max(self.lo, other.lo), min(self.hi, other.hi))

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def disjoint(self, other: Interval) -> bool:
        return self.hi < other.lo or other.hi < self.lo

    def inside(self, other: Interval) -> bool:
        """Whether every value of this interval lies in the other."""
        return other.lo <= self.lo and self.hi <= other.hi

    def below(self, other: Interval | float) -> bool:
        """Whether every value of this interval lies strictly below every value of the other."""
        return self.hi < _interval(other).lo

    def above(self, other: Interval | float) -> bool:
        """Whether every value of this interval lies strictly above every value of the other."""
        return self.lo > _interval(other).hi

    def distance(self, other: Interval | float) -> float:
        """How far apart the nearest values lie; 0 where the intervals touch."""
        that = _interval(other)
        return max(0.0, self.lo - that.hi, that.lo - self.hi)

    def widened(self, by: float) -> Interval:
        return Interval(outward.down(self.lo - by), outward.up(self.hi + by))

    def floor(self) -> Interval:
        """The whole numbers that the floor of a value of this interval can be."""
        return Interval(*outward.floor(self.pair))

    def at_least(self, least: float) -> Interval:
        """The values of max(x, least)."""
        return Interval(max(self.lo, least), max(self.hi, least))

    def at_most(self, most: float) -> Interval:
        """The values of min(x, most)."""
        return Interval(min(self.lo, most), min(self.hi, most))

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __add__(self, other: Interval | float) -> Interval:
        return Interval(*outward.add(self.pair, _interval(other).pair))

    def __sub__(self, other: Interval | float) -> Interval:
        return Interval(*outward.subtract(self.pair, _interval(other).pair))

    def __mul__(self, other: Interval | float) -> Interval:
        return Interval(*outward.multiply(self.pair, _interval(other).pair))

    def __truediv__(self, other: Interval | float) -> Interval:
        return Interval(*outward.divide(self.pair, _interval(other).pair))

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

    @classmethod
    def exact(
        cls, name: str, value: float, unit: str = "", *, line: LineRef | None = None, rank: str | None = None
    ) -> Quantity:
        """A count or a setting: printed in full, so nothing was rounded."""
        return cls(name, float(value), Interval.exact(value), unit, line, "printed", rank)

    @classmethod
    def from_text(
        cls, name: str, text: str, unit: str = "", *, line: LineRef | None = None, rank: str | None = None
    ) -> Quantity:
        """A rounded number as it is printed: `21.70` is known to 0.005, `159K` to 500, `1,024` to 0.5.

        Raises UsageError for text that is not a number.
        """
        found = _PRINTED.fullmatch(text.strip())
        if found is None:
            raise UsageError(f"{name}: {text!r} is not a printed number; give digits such as 21.70 or 159K")
        whole, fraction, exponent, suffix = found.groups()
        power = int(exponent or 0) + _SUFFIX[suffix.lower()]
        value = float(f"{whole.replace(',', '')}.{fraction or 0}e{power}")
        return cls(name, value, Interval.printed(value, len(fraction or "") - power), unit, line, "printed", rank)

    def named(self, name: str) -> Quantity:
        return replace(self, name=name)

    def scaled(self, factor: float, unit: str, equation: str) -> Quantity:
        """The same number in another unit; its line stays, because the line still proves it."""
        interval = self.interval * factor
        return replace(
            self, value=self.value * factor, interval=interval, unit=unit, origin="computed", equation=equation
        )
