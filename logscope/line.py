"""A physical line → segments: the prefix taken apart into time, ranks and level, the message left as it is.

One physical line may hold several records: progress-bar frames joined by carriage returns, and records glued behind
text that had no final newline. Each becomes a segment with the number of the physical line.

Source: SGLang `srt/utils/common.py:configure_logger` (prefix eras), `managers/scheduler.py` (rank tokens).
"""

from __future__ import annotations

import datetime
import functools
import re
from dataclasses import dataclass, field
from typing import Literal

Stamp = Literal["dated", "yearless", "time", "none"]

_RANKS = r"(?: [A-Z_]{2,}-?\d+)*"
_TAGS = r"(?: encode_server| encode_dp_worker\[\d+\])?"
_CLOCK = r"(?:(?P<date>\d{4}-\d\d-\d\d|\d\d-\d\d) )?(?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<ms>\d{3}))?"
_LEVEL = r"(?:(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<where>[\w.]+\.py):\d+: )?"
# A log that was copied may begin behind the opening bracket: it may lack only where a date makes the stamp plain.
PREFIX = re.compile(rf"(?:\[|(?=\d{{4}}-)){_CLOCK}(?P<ranks>{_RANKS}){_TAGS}\] ?{_LEVEL}")
_GLUED = re.compile(rf"\[(?:\d{{4}}-\d\d-\d\d |\d\d-\d\d )?\d\d:\d\d:\d\d(?:[.,]\d{{3}})?{_RANKS}{_TAGS}\] ")
_GPU = re.compile(r"\[gpu(?:_id)?=(?P<gpu>\d+)\] ")
_BASIC = re.compile(r"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?P<logger>sglang[\w.]*):")
_TOKEN = re.compile(r"([A-Z_]+)(-?\d+)")
_VERBATIM = ("Receive", "Finish", "in=", "server_args=", '{"timestamp"')
RANK_ORDER = ("DP", "PP", "ATTN_CP", "MOE_DP", "TP", "EP")


@dataclass(frozen=True, slots=True)
class Segment:
    """One record head, or one unframed piece of text, with the number of its physical line."""

    line: int
    message: str
    framed: bool
    ranks: str = ""  # printed tokens in the order DP PP ATTN_CP MOE_DP TP EP, "" if none
    time_ms: int | None = None  # since 1970-01-01, of the clock as printed
    stamp: Stamp = "none"
    level: str = ""
    label: str = ""  # of the wrapper: pod, service, actor


@functools.cache
def rank_name(tokens: str) -> str:
    """Rank tokens in the fixed order: ` TP3 DP0` → `DP0 TP3`; tokens of a later release keep their place at the end."""
    pairs = _TOKEN.findall(tokens)
    order = {name: place for place, name in enumerate(RANK_ORDER)}
    return " ".join(name + number for name, number in sorted(pairs, key=lambda p: order.get(p[0], len(order))))


@functools.lru_cache(maxsize=4096)
def _second(date: str, time: str) -> int | None:
    try:
        day = datetime.date.fromisoformat(date)
        hours, minutes, seconds = int(time[:2]), int(time[3:5]), int(time[6:8])
    except ValueError:
        return None
    if hours > 23 or minutes > 59 or seconds > 60:
        return None
    return ((day.toordinal() - 719163) * 86400 + hours * 3600 + minutes * 60 + seconds) * 1000


@dataclass(slots=True)
class Clock:
    """The state that undated and yearless stamps need: the day that passed midnight, the last year seen."""

    year: int | None = None
    days: int = 0
    last_ms: int = 0
    kinds: dict[Stamp, int] = field(default_factory=dict)

    def read(self, date: str | None, time: str, ms: str | None) -> tuple[int | None, Stamp]:
        """Milliseconds since 1970-01-01 of the printed clock, and how much of a date it had."""
        stamp: Stamp = "time" if date is None else "dated" if len(date) == 10 else "yearless"
        if date is None:
            date = "1970-01-01"
        elif stamp == "yearless":
            date = f"{self.year or 1970}-{date}"
        else:
            self.year = int(date[:4])
        value = _second(date, time)
        if value is None:
            return None, "none"
        if stamp == "time":
            # A clock without a date that falls by more than half a day has passed midnight.
            if value + self.days * 86_400_000 < self.last_ms - 43_200_000:
                self.days += 1
            value += self.days * 86_400_000
            self.last_ms = value
        self.kinds[stamp] = self.kinds.get(stamp, 0) + 1
        return value + int(ms or 0), stamp


def _split(text: str) -> list[str]:
    """Frames of one physical line: at carriage returns, and before a record that is glued behind other text."""
    pieces: list[str] = []
    for frame in text.split("\r"):
        if not frame:
            continue
        rest = frame
        while True:
            own = PREFIX.match(rest)
            if own and rest.startswith(_VERBATIM, own.end()):
                break
            if not own and rest.startswith(_VERBATIM):
                break
            glued = _GLUED.search(rest, own.end() if own else 1)
            if glued is None or rest[glued.start() - 1] in "'\"`":
                break
            pieces.append(rest[: glued.start()])
            rest = rest[glued.start() :]
        pieces.append(rest)
    return pieces


def bare(text: str) -> bool:
    """Whether nothing at the beginning of a line looks like a prefix."""
    return not (PREFIX.match(text) or _GPU.match(text) or _BASIC.match(text))


def glued(text: str) -> bool:
    """Whether a record may begin behind other text somewhere in these lines."""
    return _GLUED.search(text) is not None


def segments(text: str, line: int, clock: Clock, label: str = "", *, whole: bool = False) -> list[Segment]:
    """The segments of one physical line (without its newline); an empty line is one empty segment.

    `whole` says that it is known to be one segment.
    """
    # `_split` costs two searches: a line with neither a carriage return nor a second bracketed stamp needs none.
    plain = whole or ("\r" not in text and (len(text) < 12 or _GLUED.search(text, 1) is None))
    return [_segment(piece, line, clock, label) for piece in ([text] if plain else _split(text) or [""])]


def _segment(text: str, line: int, clock: Clock, label: str) -> Segment:
    found = PREFIX.match(text)
    if found:
        time_ms, stamp = clock.read(found["date"], found["time"], found["ms"])
        if stamp != "none":
            ranks = rank_name(found["ranks"])
            return Segment(line, text[found.end() :], True, ranks, time_ms, stamp, found["level"] or "", label)
    gpu = _GPU.match(text)
    if gpu:
        return Segment(line, text[gpu.end() :], True, f"TP{gpu['gpu']}", label=label)
    basic = _BASIC.match(text)
    if basic:
        return Segment(line, text[basic.end() :], True, level=basic["level"], label=label)
    return Segment(line, text, False, label=label)


_MASKS = (
    (re.compile(r"'[^']*'|\"[^\"]*\""), "'…'"),
    (re.compile(r"(?:/[\w.@+-]+){2,}/?"), "/…"),
    (re.compile(r"\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{16,}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b"), "<id>"),
    (re.compile(r"-?\d+(?:\.\d+)?"), "<n>"),
)


def template(message: str) -> str:
    """A message with its values masked, for counting alike ones: at most 200 characters."""
    text = message[:400]
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text[:200]
