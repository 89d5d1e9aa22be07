"""Arithmetic on pairs (lo, hi) that rounds outward, and only where a float operation is not exact.

The result always encloses every value that the operands allow. An operation that a double carries out exactly (sums and
products of whole numbers, a division without remainder) stays exact, so that counts of tokens and pages do not grow a
rim of one unit.
"""

from __future__ import annotations

import math

Pair = tuple[float, float]

EVERYTHING: Pair = (-math.inf, math.inf)
_WHOLE = 2.0**53


def down(value: float) -> float:
    """The next double below a finite value."""
    return math.nextafter(value, -math.inf) if math.isfinite(value) else value


def up(value: float) -> float:
    """The next double above a finite value."""
    return math.nextafter(value, math.inf) if math.isfinite(value) else value


def _exact_sum(a: float, b: float, total: float) -> bool:
    return total - a == b and total - b == a


def _exact_product(a: float, b: float, product: float) -> bool:
    if a == 0 or b == 0 or abs(a) == 1 or abs(b) == 1:
        return True
    return a.is_integer() and b.is_integer() and abs(product) < _WHOLE


def _exact_quotient(a: float, b: float, quotient: float) -> bool:
    return a == 0 or abs(b) == 1 or (quotient.is_integer() and b.is_integer() and abs(a) < _WHOLE and quotient * b == a)


def add(x: Pair, y: Pair) -> Pair:
    lo, hi = x[0] + y[0], x[1] + y[1]
    return (
        lo if _exact_sum(x[0], y[0], lo) else down(lo),
        hi if _exact_sum(x[1], y[1], hi) else up(hi),
    )


def negate(x: Pair) -> Pair:
    return (-x[1], -x[0])


def subtract(x: Pair, y: Pair) -> Pair:
    return add(x, negate(y))


def _product(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def multiply(x: Pair, y: Pair) -> Pair:
    ends = [(_product(a, b), a, b) for a in x for b in y]
    lo, hi = min(ends), max(ends)
    return (
        lo[0] if _exact_product(lo[1], lo[2], lo[0]) else down(lo[0]),
        hi[0] if _exact_product(hi[1], hi[2], hi[0]) else up(hi[0]),
    )


def _quotient(a: float, b: float) -> float:
    if math.isinf(b):
        return 0.0 if math.isfinite(a) else math.nan
    return a / b


def divide(x: Pair, y: Pair) -> Pair:
    """x / y; everything where the divisor holds zero inside, a half line where zero is one of its ends."""
    if y[0] <= 0 <= y[1]:
        return _divide_by_zero(x, y)
    ends = [(_quotient(a, b), a, b) for a in x for b in y]
    if any(math.isnan(end[0]) for end in ends):
        return EVERYTHING
    lo, hi = min(ends), max(ends)
    return (
        lo[0] if _exact_quotient(lo[1], lo[2], lo[0]) else down(lo[0]),
        hi[0] if _exact_quotient(hi[1], hi[2], hi[0]) else up(hi[0]),
    )


def _divide_by_zero(x: Pair, y: Pair) -> Pair:
    if y[0] < 0 < y[1] or y[0] == y[1] or x[0] <= 0 <= x[1]:
        return EVERYTHING
    far = y[1] if y[0] == 0 else y[0]
    near = x[0] if x[0] > 0 else x[1]
    finite = _quotient(near, far)
    if math.isnan(finite):
        return EVERYTHING
    return (down(finite), math.inf) if (x[0] > 0) == (far > 0) else (-math.inf, up(finite))


def floor(x: Pair) -> Pair:
    return (_floor(x[0]), _floor(x[1]))


def _floor(value: float) -> float:
    return float(math.floor(value)) if math.isfinite(value) else value


def meet(x: Pair, y: Pair) -> Pair:
    """What both pairs hold; lo > hi where they are disjoint."""
    return (max(x[0], y[0]), min(x[1], y[1]))
