"""The text of a notice, which is kept as its template and its values."""

from __future__ import annotations

import itertools
import re

from logscope.launch import Row

_HOLE = re.compile(r"\{(n?)\}")


def filled(row: Row) -> str:
    """The template with the values of the line in their places; `…` for one that is not kept."""
    numbers = itertools.count(1)

    def value(hole: re.Match[str]) -> str:
        found = row.get(f"{'number' if hole[1] else 'value'}_{next(numbers)}", "…")
        return f"{found:g}" if isinstance(found, float) else str(found)

    return _HOLE.sub(value, str(row.get("template", "")))
