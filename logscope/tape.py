"""An expression compiled into a tape, its nodes in post-order, that narrows in every direction.

Forward, the tape computes what the variables allow; backward, it projects what the result allows onto each variable
(HC4-revise, Benhamou et al. 1999).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from logscope import outward
from logscope.expression import Const, Expression, Node, Var
from logscope.outward import Pair
from logscope.quantity import Interval


@dataclass(frozen=True, slots=True)
class Tape:
    """An expression in post-order: each step names its operation and the steps it reads."""

    steps: tuple[tuple[str, int, int], ...]
    constants: tuple[tuple[int, Pair], ...]
    variables: tuple[tuple[int, int], ...]  # step, index of the variable in `names`
    names: tuple[Var, ...]


def compiled(*roots: Expression) -> tuple[Tape, tuple[int, ...]]:
    """One tape for all roots and the step of each root."""
    steps: list[tuple[str, int, int]] = []
    constants: list[tuple[int, Pair]] = []
    variables: list[tuple[int, int]] = []
    names: dict[str, int] = {}
    declared: list[Var] = []

    def place(part: Expression) -> int:
        if isinstance(part, Var):
            if part.name not in names:
                names[part.name] = len(declared)
                declared.append(part)
            variables.append((len(steps), names[part.name]))
            steps.append(("leaf", 0, 0))
        elif isinstance(part, Const):
            constants.append((len(steps), (float(part.value), float(part.value))))
            steps.append(("leaf", 0, 0))
        elif isinstance(part, Node):
            read = [place(inner) for inner in part.parts]
            steps.append((part.operation, read[0], read[-1]))
        return len(steps) - 1

    ends = tuple(place(root) for root in roots)
    return Tape(tuple(steps), tuple(constants), tuple(variables), tuple(declared)), ends


def _minimum(x: Pair, y: Pair) -> Pair:
    return (min(x[0], y[0]), min(x[1], y[1]))


def _maximum(x: Pair, y: Pair) -> Pair:
    return (max(x[0], y[0]), max(x[1], y[1]))


_FORWARD: dict[str, Callable[[Pair, Pair], Pair]] = {
    "+": outward.add,
    "−": outward.subtract,
    "·": outward.multiply,
    "/": outward.divide,
    "min": _minimum,
    "max": _maximum,
    "floor": lambda x, _y: outward.floor(x),
}


def _back_minimum(r: Pair, x: Pair, y: Pair) -> tuple[Pair, Pair]:
    # min(x, y) = r: both are at least r.lo; the one that alone can be as small as r.hi must be.
    return (r[0], r[1] if y[0] > r[1] else math.inf), (r[0], r[1] if x[0] > r[1] else math.inf)


def _back_maximum(r: Pair, x: Pair, y: Pair) -> tuple[Pair, Pair]:
    return (r[0] if y[1] < r[0] else -math.inf, r[1]), (r[0] if x[1] < r[0] else -math.inf, r[1])


_BACKWARD: dict[str, Callable[[Pair, Pair, Pair], tuple[Pair, Pair]]] = {
    "+": lambda r, x, y: (outward.subtract(r, y), outward.subtract(r, x)),
    "−": lambda r, x, y: (outward.add(r, y), outward.subtract(x, r)),
    "·": lambda r, x, y: (_factor(r, y), _factor(r, x)),
    "/": lambda r, x, y: (outward.multiply(r, y), _factor(x, r)),
    "min": _back_minimum,
    "max": _back_maximum,
    "floor": lambda r, _x, _y: ((r[0], outward.add(r, (1.0, 1.0))[1]), outward.EVERYTHING),
}


def _factor(product: Pair, other: Pair) -> Pair:
    """All x with x · other in product: everything where both may be zero."""
    if other[0] <= 0 <= other[1] and product[0] <= 0 <= product[1]:
        return outward.EVERYTHING
    return outward.divide(product, other)


def forward(tape: Tape, bounds: list[Pair]) -> list[Pair]:
    """The range of every step, from the ranges of the variables."""
    values: list[Pair] = [outward.EVERYTHING] * len(tape.steps)
    for step, pair in tape.constants:
        values[step] = pair
    for step, index in tape.variables:
        values[step] = bounds[index]
    for step, (operation, left, right) in enumerate(tape.steps):
        if operation != "leaf":
            values[step] = _FORWARD[operation](values[left], values[right])
    return values


def backward(tape: Tape, values: list[Pair]) -> list[Pair] | None:
    """The ranges that remain for the variables, or None where a range has become empty."""
    for step in range(len(tape.steps) - 1, -1, -1):
        operation, left, right = tape.steps[step]
        if operation == "leaf":
            continue
        first, second = _BACKWARD[operation](values[step], values[left], values[right])
        values[left] = outward.meet(values[left], first)
        if values[left][0] > values[left][1]:
            return None
        if right != left:
            values[right] = outward.meet(values[right], second)
            if values[right][0] > values[right][1]:
                return None
    remaining: list[Pair] = [outward.EVERYTHING] * len(tape.names)
    for step, index in tape.variables:
        remaining[index] = outward.meet(remaining[index], values[step])
        if remaining[index][0] > remaining[index][1]:
            return None
    return remaining


def evaluated(part: Expression, values: Mapping[str, Interval]) -> Interval:
    """The interval of an expression; raises KeyError for a variable that has no value."""
    tape, (root,) = compiled(part)
    ranges = forward(tape, [values[name.name].pair for name in tape.names])
    return Interval(*ranges[root])
