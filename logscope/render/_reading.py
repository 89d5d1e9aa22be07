"""What a report holds, read without trust: a report may come from a file, from an older release, or from another tool.

An absent key, and one of another type than the schema says, read as empty; a number that is not finite reads as absent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Report = Mapping[str, Any]


def part(holder: Report, key: str) -> Report:
    """The mapping under a key; empty when there is none."""
    value = holder.get(key)
    return value if isinstance(value, Mapping) else {}


def parts(holder: Report, key: str) -> list[Report]:
    """The mappings in the list under a key, in order."""
    value = holder.get(key)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [item for item in value if isinstance(item, Mapping)]


def words(holder: Report, key: str) -> list[str]:
    """The list under a key as texts."""
    value = holder.get(key)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [str(item) for item in value if item is not None]


def values(holder: Report, key: str) -> list[Any]:
    """The list under a key, whatever it holds."""
    value = holder.get(key)
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []


def text(holder: Report, key: str, default: str = "") -> str:
    """The value under a key as text."""
    value = holder.get(key)
    return default if value is None else str(value)


def number(holder: Report, key: str) -> float | None:
    """The finite number under a key; an integer stays one."""
    return finite(holder.get(key))


def finite(value: object) -> float | None:
    """The value when it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1 << 63 else None
    return value if math.isfinite(value) else None


def whole(holder: Report, key: str) -> int:
    """The count under a key; 0 when there is none."""
    value = finite(holder.get(key))
    return 0 if value is None else int(value)
