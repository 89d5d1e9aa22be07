"""The clocks that wrappers print, as milliseconds since 1970; one with a zone is moved to UTC, one without stays as printed."""

from __future__ import annotations

import calendar
import re
from functools import lru_cache

from logscope.wrappers._lines import NO_TIME

ISO_T = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
ISO = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?"
SLASHED = r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
MONTH_DAY = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?"
KIBANA = r"[A-Z][a-z]{2} \d{1,2}, \d{4} @ \d\d:\d\d:\d\d(?:\.\d{1,9})?"

_SECOND = re.compile(rb"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)$")
_ZONE = re.compile(rb" ?(?:Z|UTC|[+-]\d\d:?\d\d)?$")
_DIGITS = b"0123456789"
_KIBANA = re.compile(rb"([A-Z][a-z]{2}) (\d{1,2}), (\d{4}) @ (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$")
_MONTHS = {name.encode(): number for number, name in enumerate(calendar.month_abbr) if name}


def moment_ms(text: bytes) -> int:
    """A printed clock in milliseconds since 1970, NO_TIME for what is none or lacks its year."""
    second_ms = _second_ms(text[:19])
    if second_ms is not None:
        rest = text[19:]
        fraction = rest[1:] if rest[:1] in (b".", b",") else b""
        zone = fraction.lstrip(_DIGITS) if fraction else rest
        zone_ms = _zone_ms(zone)
        return NO_TIME if zone_ms is None else second_ms + int((fraction.removesuffix(zone) + b"000")[:3]) - zone_ms
    found = _KIBANA.match(text)
    if found:
        name, day, year, hour, minute, second, fraction = found.groups()
        return _in_ms(_seconds(year, b"%02d" % _MONTHS.get(name, 0), day, hour + minute + second), fraction)
    text = text.replace(b".", b"", 1)
    if text.isdigit() and len(text) in (10, 13, 16, 19):  # epoch seconds, ms, µs, ns
        return int(text[:13].ljust(13, b"0"))
    return NO_TIME


def _in_ms(seconds: int | None, fraction: bytes | None) -> int:
    return NO_TIME if seconds is None else seconds * 1000 + int((fraction or b"0")[:3].ljust(3, b"0"))


@lru_cache(maxsize=4096)
def _second_ms(text: bytes) -> int | None:
    found = _SECOND.match(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = found.groups()
    seconds = _seconds(year, month, day, hour + minute + second)
    return None if seconds is None else seconds * 1000


@lru_cache(maxsize=64)
def _zone_ms(text: bytes) -> int | None:
    """The offset from UTC, 0 for none; None for what is no zone."""
    if not _ZONE.match(text):
        return None
    digits = text.strip(b" ZUTC:+-").replace(b":", b"")
    shift = (int(digits[:2]) * 60 + int(digits[2:])) * 60_000 if digits else 0
    return -shift if b"-" in text else shift


@lru_cache(maxsize=4096)
def _seconds(year: bytes, month: bytes, day: bytes, time: bytes) -> int | None:
    month_number, day_number = int(month), int(day)
    if int(year) == 0 or int(time[:2]) > 23 or int(time[2:4]) > 59 or int(time[4:6]) > 60:
        return None
    if not 1 <= month_number <= 12 or not 1 <= day_number <= calendar.monthrange(max(int(year), 1), month_number)[1]:
        return None
    return calendar.timegm((int(year), month_number, day_number, int(time[:2]), int(time[2:4]), int(time[4:6])))
