"""A relation: what SGLang computes from what, declared once as data and narrowed in every direction."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from logscope import outward
from logscope.errors import UsageError
from logscope.expression import Expression, Var, unit_text
from logscope.outward import Pair
from logscope.tape import Tape, backward, compiled, forward

Sense = Literal["=", "≤", "≥"]
Strength = Literal["identity", "formula"]
"""`identity`: holds in every release, whatever other processes do; `formula`: what the releases in range compute."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`left sense right`, true to within `tolerance` in the unit of the left side.

    `sensor` is how far two readings of the same thing may lie apart (another instant, another allocator): it is added
    when facts are tried for a conflict, and left out when a solution is computed.
    `repeats` are the variables that the formulas name more than once: narrowing alone is not exact for them.
    `names` are the variables in the order of the tape; `at` gives the same relation for one rank by renaming them.
    """

    name: str
    left: Expression
    right: Expression
    sense: Sense = "="
    tolerance: float = 0.0
    sensor: float = 0.0
    strength: Strength = "formula"
    source: str = ""
    tape: Tape = field(init=False, repr=False, compare=False)
    roots: tuple[int, ...] = field(init=False, repr=False, compare=False)
    repeats: frozenset[str] = field(init=False, repr=False, compare=False)
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.left.dimension != self.right.dimension:
            left, right = unit_text(self.left.dimension) or "1", unit_text(self.right.dimension) or "1"
            raise UsageError(f"relation {self.name}: the left side is in {left}, the right side in {right}")
        tape, roots = compiled(self.left, self.right)
        object.__setattr__(self, "tape", tape)
        object.__setattr__(self, "roots", roots)
        if not self.names:
            object.__setattr__(self, "names", tuple(variable.name for variable in tape.names))
        places = [index for _, index in tape.variables]
        repeats = frozenset(name for index, name in enumerate(self.names) if places.count(index) > 1)
        object.__setattr__(self, "repeats", repeats)

    def at(self, rank: str, shared: Iterable[str]) -> Relation:
        """The relation for one rank: every variable that is not shared by the launch is renamed `name@rank`."""
        kept = set(shared)
        names = (variable.name for variable in self.tape.names)
        return replace(self, names=tuple(name if name in kept else f"{name}@{rank}" for name in names))

    def variable(self, name: str) -> Var:
        """The declaration of a variable by its name in this relation."""
        return self.tape.names[self.names.index(name)]

    def exactly(self) -> Relation:
        """The same relation without the sensor's tolerance."""
        if not self.sensor:
            return self
        same = copy.copy(self)
        object.__setattr__(same, "sensor", 0.0)
        return same

    @property
    def equation(self) -> str:
        return f"{self.left} {self.sense} {self.right}"

    def revised(self, bounds: list[Pair]) -> list[Pair] | None:
        """The ranges of the variables that the relation leaves, or None where it leaves nothing."""
        values = forward(self.tape, bounds)
        left, right = values[self.roots[0]], values[self.roots[1]]
        values[self.roots[0]] = outward.meet(left, self._allowed(right, self.sense))
        values[self.roots[1]] = outward.meet(right, self._allowed(left, _TURNED[self.sense]))
        if any(values[root][0] > values[root][1] for root in self.roots):
            return None
        return backward(self.tape, values)

    def _allowed(self, other: Pair, sense: Sense) -> Pair:
        slack = self.tolerance + self.sensor
        wide = outward.add(other, (-slack, slack))
        if sense == "=":
            return wide
        return (outward.EVERYTHING[0], wide[1]) if sense == "≤" else (wide[0], outward.EVERYTHING[1])


_TURNED: dict[Sense, Sense] = {"=": "=", "≤": "≥", "≥": "≤"}
