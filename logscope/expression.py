"""Expressions over named quantities: built with the operators of Python, checked for units, printed as formulas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from logscope.errors import UsageError

_SINGULAR = {"token": "tokens", "byte": "bytes", "page": "pages", "request": "requests", "step": "steps"}
Unit = frozenset[tuple[str, int]]


def unit_of(text: str) -> Unit:
    """The exponents of a unit such as `bytes/token`; `share` and the empty text have no dimension."""
    powers: dict[str, int] = {}
    for place, side in enumerate(text.split("/")):
        for part in side.split("·"):
            name = _SINGULAR.get(part.strip(), part.strip())
            if name not in ("", "1", "share"):
                powers[name] = powers.get(name, 0) + (-1 if place else 1)
    return frozenset((name, power) for name, power in powers.items() if power)


def _combined(x: Unit, y: Unit, sign: int) -> Unit:
    powers = dict(x)
    for name, power in y:
        powers[name] = powers.get(name, 0) + sign * power
    return frozenset((name, power) for name, power in powers.items() if power)


def unit_text(unit: Unit) -> str:
    """The unit as it is written: `bytes/tokens`."""
    over = "·".join(sorted(name for name, power in unit for _ in range(power)))
    under = "/".join(sorted(name for name, power in unit for _ in range(-power)))
    return f"{over or '1'}/{under}" if under else over


class Expression:
    """A node of a formula; its operators build larger ones."""

    __slots__ = ()
    dimension: Unit

    def __add__(self, other: Expression | float) -> Expression:
        return Node("+", (self, _same(self, other)))

    def __radd__(self, other: float) -> Expression:
        return Node("+", (_same(self, other), self))

    def __sub__(self, other: Expression | float) -> Expression:
        return Node("−", (self, _same(self, other)))

    def __rsub__(self, other: float) -> Expression:
        return Node("−", (_same(self, other), self))

    def __mul__(self, other: Expression | float) -> Expression:
        return Node("·", (self, _plain(other)))

    def __rmul__(self, other: float) -> Expression:
        return Node("·", (_plain(other), self))

    def __truediv__(self, other: Expression | float) -> Expression:
        return Node("/", (self, _plain(other)))

    def __rtruediv__(self, other: float) -> Expression:
        return Node("/", (_plain(other), self))


@dataclass(frozen=True, slots=True)
class Var(Expression):
    """A named quantity in a unit; `low` and `high` are what it can be at all, asked only when a solution is judged."""

    name: str
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    says: str = ""

    @property
    def dimension(self) -> Unit:  # type: ignore[override]
        return unit_of(self.unit)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Const(Expression):
    """A number of the formula, with its unit."""

    value: float
    unit: str = ""

    @property
    def dimension(self) -> Unit:  # type: ignore[override]
        return unit_of(self.unit)

    def __str__(self) -> str:
        if self.value == 2**30:
            return "2^30"
        return f"{self.value:.12g}"


@dataclass(frozen=True, slots=True)
class Node(Expression):
    """An operation on one or two expressions."""

    operation: str
    parts: tuple[Expression, ...]

    def __post_init__(self) -> None:
        units = {part.dimension for part in self.parts}
        if self.operation in ("+", "−", "min", "max") and len(units) > 1:
            shown = " and ".join(f"{part} [{unit_text(part.dimension) or '1'}]" for part in self.parts)
            raise UsageError(f"the formula mixes units: {shown}; convert one of them by a constant such as bytes/GiB")

    @property
    def dimension(self) -> Unit:  # type: ignore[override]
        first = self.parts[0].dimension
        if self.operation in ("·", "/"):
            return _combined(first, self.parts[1].dimension, 1 if self.operation == "·" else -1)
        return first

    def __str__(self) -> str:
        if self.operation in ("min", "max"):
            return f"{self.operation}({self.parts[0]}, {self.parts[1]})"
        if self.operation == "floor":
            return f"⌊{self.parts[0]}⌋"
        if self.operation == "·" and isinstance(self.parts[1], Const) and self.parts[1].value == 1:
            return str(self.parts[0])
        left, right = (_bracketed(part, self.operation, place) for place, part in enumerate(self.parts))
        return f"{left} {self.operation} {right}"


def _bracketed(part: Expression, operation: str, place: int) -> str:
    weak = isinstance(part, Node) and part.operation in ("+", "−")
    tight = operation in ("·", "/") or (operation == "−" and place == 1)
    division = place == 1 and operation == "/" and isinstance(part, Node) and part.operation in ("·", "/")
    return f"({part})" if (weak and tight) or division else str(part)


def _same(left: Expression, other: Expression | float) -> Expression:
    return other if isinstance(other, Expression) else Const(float(other), unit_text(left.dimension))


def _plain(other: Expression | float) -> Expression:
    return other if isinstance(other, Expression) else Const(float(other))


def minimum(left: Expression, right: Expression | float) -> Expression:
    return Node("min", (left, _same(left, right)))


def maximum(left: Expression, right: Expression | float) -> Expression:
    return Node("max", (left, _same(left, right)))


def floor(part: Expression) -> Expression:
    return Node("floor", (part,))


def rounded(part: Expression, decimals: int) -> Expression:
    """The part rounded to so many decimals; ties may go either way, the enclosure holds both."""
    scale = 10.0**decimals
    return floor(part * scale + 0.5) / scale


def substituted(part: Expression, replacements: Mapping[str, Expression]) -> Expression:
    """The expression with some variables written out."""
    if isinstance(part, Var):
        return replacements.get(part.name, part)
    if isinstance(part, Node):
        return Node(part.operation, tuple(substituted(inner, replacements) for inner in part.parts))
    return part
