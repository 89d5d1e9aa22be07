"""Values as the report's plain data: absent instead of null, finite, rounded to what their intervals mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from logscope.quantity import LineRef, Quantity

_DIGITS = 10


def number(value: float) -> float | int:
    """A number without the noise of binary arithmetic."""
    if isinstance(value, int) or (math.isfinite(value) and float(value).is_integer() and abs(value) < 1e15):
        return int(value)
    return float(f"{value:.{_DIGITS}g}")


def plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are there, with numbers that JSON can hold; absent and infinite ones are dropped throughout."""
    return {str(k): _plain(v) for k, v in value.items() if _there(v)}


def _plain(value: Any) -> Any:
    if isinstance(value, str | int) or value is None:
        return value
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain(v) for v in value if _there(v)]
    if isinstance(value, float):
        return number(value)
    return value


def _there(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def line_of(ref: LineRef) -> dict[str, Any]:
    return {"path": ref.path, "line": ref.line}


def quantity_of(quantity: Quantity) -> dict[str, Any]:
    """A quantity as the schema writes it."""
    return plain(
        {
            "name": quantity.name,
            "rank": quantity.rank,
            "value": quantity.value,
            "lo": quantity.interval.lo,
            "hi": quantity.interval.hi,
            "unit": quantity.unit or None,
            "from": quantity.origin,
            "line": line_of(quantity.line) if quantity.line else None,
            "equation": quantity.equation,
        }
    )
