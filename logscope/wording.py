"""Numbers as sentences write them: as many digits as they mean, thousands apart, the unit that the log prints."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from logscope.quantity import Interval, Quantity


def gib(value: float | Interval | Quantity) -> str:
    """`33.39 GiB`."""
    return f"{round(_middle(value), 2) + 0.0:.2f} GiB".replace("-", "−")


def share(value: float | Interval | Quantity, digits: int = 3) -> str:
    """`0.872`."""
    return f"{round(_middle(value), digits) + 0.0:.{digits}f}"  # + 0.0: no minus before a zero


def above(floor: float, digits: int = 3) -> str:
    """`0.523` of a floor of 0.5225: what is told as a lower end is never below it."""
    return f"{math.ceil(round(floor * 10**digits, 6)) / 10**digits:.{digits}f}"


def floored(ceiling: float, digits: int = 3) -> str:
    """`0.86` of a ceiling of 0.86, `0.522` of 0.5225: what is told as an upper end is never above it."""
    return f"{math.floor(round(ceiling * 10**digits, 6)) / 10**digits:g}"


def percent(value: float, digits: int = 1) -> str:
    """`87.2 %` of a share."""
    return f"{100 * value:.{digits}f} %"


def count(value: float | Quantity) -> str:
    """`312,581`."""
    return f"{round(_middle(value)):,}"


def several(number: float, noun: str) -> str:
    """`1 decode line`, `4 decode lines`."""
    return f"{number:,.0f} {noun}{'s' * (number != 1)}"


def sentence(text: str) -> str:
    """A text that begins as sentences do: a word in upper case, unless it is a name or a flag."""
    return text[:1].upper() + text[1:] if re.match(r"[a-z][a-z]* ", text) else text


def duration(seconds: float) -> str:
    """`4 min 10 s`, `52 min`, `3.1 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    shown = [f"{number} {unit}" for number, unit in parts if number][:2]
    return " ".join(shown) or "0 s"


def listed(items: list[str], most: int = 4) -> str:
    """`a, b and c`; a long list says how many more there are."""
    if len(items) > most:
        return ", ".join(items[:most]) + f" and {len(items) - most} more"
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""


def figure(value: float) -> str:
    """`10.42`, `30,000`: four digits, and a count in full."""
    whole = float(value).is_integer() and abs(value) >= 1000
    return f"{value:,.0f}" if whole else f"{value:.4g}"


def between(ends: Mapping[str, Any]) -> str:
    """`between 0.8798 and 0.88` of the `lo` and `hi` that are known; one that is absent is unbounded."""
    if "lo" in ends and "hi" in ends:
        return f"between {ends['lo']:.4g} and {ends['hi']:.4g}"
    return " and ".join(
        f"{word} {ends[key]:.4g}" for key, word in (("lo", "of at least"), ("hi", "of at most")) if key in ends
    )


def _middle(value: float | Interval | Quantity) -> float:
    if isinstance(value, Quantity):
        return value.value
    return value.mid if isinstance(value, Interval) else value


def round_setting(found: Mapping[str, Any]) -> str:
    """`: 0.88 is a round setting`, where an interval of shares holds one number of two decimals; else ""."""
    lo, hi = found.get("lo"), found.get("hi")
    if found.get("unit") != "share" or lo is None or hi is None or hi - lo >= 0.01:
        return ""
    rounded = math.floor(hi * 100 + 1e-9) / 100
    return f": {rounded:g} is a round setting" if lo <= rounded <= hi else ""
