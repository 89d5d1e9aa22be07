r"""Docker's json-file driver: one JSON object a line with log, stream and time.

Docker cuts a line into pieces of 16 KiB; only the last ends with a newline. Pieces of one stream are joined to one line with
the number of the first. Where no entry ends with a newline (a copy through another tool), only pieces of 16 KiB are joined.

Sample:

    {"log":"[2026-03-05 03:26:31 TP0] Load weight begin. avail mem=138.20 GB\n","stream":"stderr","time":"2026-03-05T03:26:31.86Z"} → [2026-03-05 03:26:31 TP0] Load weight begin. avail mem=138.20 GB
    {"log":"\u001b[32mINFO\u001b[0m:     \"GET /health\"\n","stream":"stdout","attrs":{"tag":"sglang"},"time":"2026-03-05T03:26:31Z"} → \x1b[32mINFO\x1b[0m:     "GET /health"
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Unwrapper
from logscope.wrappers._clock import moment_ms
from logscope.wrappers._inner import written
from logscope.wrappers._json import encoded, one_line, parsed
from logscope.wrappers._lines import NO_TIME
from logscope.wrappers._pieces import Piece, Pieces, whole

NAME = "docker_json"

_PIECE_BYTES = 16 * 1024
_TORN_BYTES = 8  # a character that the cut divides comes out as two of three bytes
_KEYS = {"log", "stream", "time", "attrs"}


def detect(lines: Sequence[str]) -> Detection | None:
    """By objects that hold log and stream, or log and time."""
    sample = written(lines)
    hits = sum(1 for line in sample if _entry(encoded(line)) is not None)
    if not hits:
        return None
    return Detection("certain", f"{hits} of {len(sample)} lines are JSON objects with log and stream")


def bare(line: str) -> str:
    """The text of an entry by itself, to be quoted; the line as it is where it is no entry or holds no one line."""
    entry = _entry(encoded(line))
    return one_line(entry[0], line) if entry is not None else line


def _entry(text: bytes) -> tuple[str, str, str] | None:
    value = parsed(text) if b'"log"' in text else None
    if value is None or not set(value) <= _KEYS or not ("stream" in value or "time" in value):
        return None
    log, stream, time = value.get("log"), value.get("stream", ""), value.get("time", "")
    if isinstance(log, str) and isinstance(stream, str) and isinstance(time, str):
        return log, stream, time
    return None


class _Reader:
    """Takes entries apart; remembers whether this file ends its lines with a newline inside the entry."""

    def __init__(self, *, ends_lines: bool) -> None:
        self._ends_lines = ends_lines

    def __call__(self, text: bytes) -> Piece | None:
        entry = _entry(text)
        if entry is None:
            return None
        log, stream, time = entry
        message = encoded(log)
        if message.endswith(b"\n"):
            self._ends_lines = True
            return Piece(stream, message[:-1], _time(time))
        return Piece(stream, message, _time(time), self._ends_lines or 0 <= len(message) - _PIECE_BYTES < _TORN_BYTES)


def _time(text: str) -> int:
    return moment_ms(encoded(text)) if text else NO_TIME


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Joins pieces across blocks."""
    entries = (_entry(encoded(line)) for line in lines)
    return Pieces(_Reader(ends_lines=any(entry is not None and entry[0].endswith("\n") for entry in entries)))


def unwrap(block: Block) -> Block:
    """One whole input, its entries as lines, pieces joined."""
    return whole(unwrapper(block.data.decode(errors="surrogateescape").split("\n")), block)
