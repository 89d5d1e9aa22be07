"""Numbers as people read them: grouped digits, a true minus, as many decimals as the interval deserves."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

_COUNTED = {"tokens", "requests", "bytes", "rows", "lines", "responses", ""}


def plain(value: float) -> str:
    """A number with grouped digits and at most five significant decimals."""
    if isinstance(value, int) or value == 0 or (value == int(value) and abs(value) >= 1000):
        return _minus(f"{int(value):,}")
    if abs(value) >= 1000:
        return _minus(f"{value:,.1f}")
    shown = f"{value:.5g}"
    return _minus(shown if "." in shown or "e" in shown else shown + ".0")


def amount(value: float | None, unit: str = "") -> str:
    """A number and its unit; an empty text when there is no number."""
    if value is None:
        return ""
    shown = _minus(f"{int(value):,}") if unit in _COUNTED and value == int(value) else plain(value)
    return f"{shown} {unit}" if unit and unit != "share" else shown


def between(lo: float | None, hi: float | None) -> str:
    """An interval as `[lo, hi]`, with the decimals that tell its ends apart; `exact` when it holds one value."""
    if lo is None or hi is None:
        known = hi if lo is None else lo
        return "" if known is None else f"{'at most' if lo is None else 'at least'} {plain(known)}"
    if lo == hi:
        return "exact"
    decimals = min(8, max(0, math.ceil(-math.log10(abs(hi - lo))) + 1))
    return f"[{_minus(f'{lo:,.{decimals}f}')}, {_minus(f'{hi:,.{decimals}f}')}]"


def span(lo: float, hi: float) -> str:
    """A range as `lo – hi`."""
    return f"{plain(lo)} – {plain(hi)}"


def duration(seconds: float | None) -> str:
    """A duration in the two largest units that say something."""
    if seconds is None:
        return ""
    if abs(seconds) < 60:
        return f"{_minus(f'{seconds:.3g}')} s"
    whole = round(seconds)
    days, hours, minutes = whole // 86400, whole % 86400 // 3600, whole % 3600 // 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {whole % 60:02d} s"


def size(count: float) -> str:
    """A size of a file in bytes, kB, MB or GB (powers of ten)."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{int(count)} bytes"


def moment(printed: str) -> datetime | None:
    """The time that an ISO text names; none when it is something else."""
    try:
        return datetime.fromisoformat(printed)
    except ValueError:
        return None


def offset(seconds: float) -> str:
    """Seconds since the start as `+m:ss` or `+h:mm:ss`."""
    whole = int(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"+{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"+{minutes}:{whole % 60:02d}"


def clock(start: datetime | None, seconds: float) -> str:
    """The time of day so many seconds after the start, or the offset when no start is known."""
    if start is None or abs(seconds) > 1e9:
        return offset(seconds)
    return f"{start + timedelta(seconds=seconds):%H:%M:%S}"


def readable(printed: str) -> str:
    """An ISO time with a blank for its `T`."""
    return printed.replace("T", " ", 1) if moment(printed) else printed


def _minus(shown: str) -> str:
    return shown.replace("-", "−", 1) if shown.startswith("-") else shown
