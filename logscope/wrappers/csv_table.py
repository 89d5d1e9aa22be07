r"""A table in CSV with a header: exports of Kibana, Datadog, GCP's explorer, CloudWatch Insights, Azure, Splunk.

The message is the column that holds SGLang's lines; a column of clocks is the outer clock, one that names a pod, a container,
a service or a host the label. The header becomes an empty line. A message of several lines stands in quotes over as many.

Sample:

    "Date","Host","Service","Message" →
    "2026-01-12T02:47:08.000Z","n1","sglang","[2026-01-12 02:47:08] say ""a"", b" → [2026-01-12 02:47:08] say "a", b
    "2026-01-12T02:47:08.000Z","n1","sglang","  File ""/srv/scheduler.py"", line 12, in run" →   File "/srv/scheduler.py", line 12, in run
    "2026-01-12T02:47:08.000Z","n1","sglang","two → two
    lines" → lines
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper
from logscope.wrappers._clock import moment_ms
from logscope.wrappers._inner import begins, holds_stamp, stamped, written
from logscope.wrappers._json import encoded
from logscope.wrappers._lines import NO_TIME, Lines, lines_of, no_lines
from logscope.wrappers._pieces import whole

NAME = "csv_table"
WHOLE = True  # a row may be several lines

_NAME = r'"?[@A-Za-z_][\w.@/-]{0,60}(?: [\w.()\[\]/-]{1,30}){0,3}"?'
_NAMED = re.compile(rf"{_NAME}(?:,{_NAME}){{1,60}}\r?")
# Python's own reader refuses cells beyond 128 KiB.
_CELL = re.compile(r'(?:"((?:[^"]++|"")*+)"(?=,|\Z)|([^,]*))(,?)')
_LABEL = re.compile(r"pod|container|service|host", re.IGNORECASE)
_MESSAGE = re.compile(r"message|log|textpayload|line|body|_raw", re.IGNORECASE)
_LONGEST = 4000  # lines of one row


def _rows(lines: Sequence[str]) -> Iterator[list[str]]:
    """The cells of each row; a row that is not closed is none."""
    held: list[str] = []
    for line in lines:
        held.append(line.removesuffix("\r"))
        if sum(part.count('"') for part in held) % 2 == 0:
            yield _cells("\n".join(held))
            held = []
        elif len(held) > _LONGEST:
            return


def _cells(text: str) -> list[str]:
    cells, at = [], 0
    while found := _CELL.match(text, at):
        cells.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        at = found.end()
        if not found[3]:
            break
    return cells


def _columns(lines: Sequence[str]) -> tuple[list[str], int]:
    """The names of the columns, and which holds the message; ([], 0) for no table."""
    sample = written(lines)
    if len(sample) < 2 or not _NAMED.fullmatch(sample[0]) or begins(sample[0]) or holds_stamp(sample[0]):
        return [], 0
    names = _cells(sample[0].removesuffix("\r"))
    rows = [row for row in _rows(sample[1:]) if len(row) == len(names)]
    proven = [sum(1 for row in rows if begins(row[at]) or holds_stamp(row[at])) for at in range(len(names))]
    named = [_MESSAGE.search(name) is not None for name in names]
    best = max(range(len(names)), key=lambda at: (proven[at], named[at]))
    return (names, best) if proven[best] and not any(map(stamped, sample)) else ([], 0)


def detect(lines: Sequence[str]) -> Detection | None:
    """By a header, and rows with as many cells of which one holds lines of SGLang."""
    names, message = _columns(lines)
    if not names:
        return None
    return Detection("certain", f"a header names {len(names)} columns; the message is in {names[message]}")


class _Table:
    """Collects the lines of a row and takes its message."""

    def __init__(self, names: Sequence[str], message: int) -> None:
        self._names = names
        self._message = message
        self._label = next((at for at, name in enumerate(names) if _LABEL.search(name) and at != message), None)
        self._held: Lines | None = None
        self._quotes = 0

    def feed(self, block: Block) -> Block:
        given, out = lines_of(block), no_lines(block.path)
        for place, text in enumerate(given.texts):
            if self._held is None:
                self._held, self._quotes = no_lines(block.path), 0
            self._held.add(given, place, text)
            self._quotes += text.count(b'"')
            if self._quotes % 2 == 0 or len(self._held.texts) > _LONGEST:
                self._release(out)
        out.ended = given.ended
        return out.block()

    def _release(self, out: Lines) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        lines = [text.removesuffix(b"\r").decode(errors="surrogateescape") for text in held.texts]
        cells = _cells("\n".join(lines)) if self._quotes % 2 == 0 else []
        message = cells[self._message].removesuffix("\n").split("\n") if len(cells) == len(self._names) else []
        if cells == self._names:
            message = [""]
        if not message:
            message = lines
        for place, text in enumerate(message[: len(lines)]):
            out.add(held, place, encoded(text))
            self._tell(out, cells)

    def _tell(self, out: Lines, cells: Sequence[str]) -> None:
        place = len(out.texts) - 1
        if len(cells) != len(self._names) or cells == self._names:
            return
        times = (moment_ms(encoded(cell)) for at, cell in enumerate(cells) if at != self._message)
        out.time(place, next((time for time in times if time != NO_TIME), NO_TIME))
        if self._label is not None:
            out.label(place, cells[self._label])

    def finish(self) -> Block | None:
        out = no_lines(self._held.path if self._held else "")
        self._release(out)
        return out.block() if out.texts else None


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Takes the column that the sample shows."""
    names, message = _columns(lines)
    return _Table(names, message) if names else Stateless(lambda block: block)


def unwrap(block: Block) -> Block:
    """One whole table, its messages as lines."""
    return whole(unwrapper(block.data.decode(errors="surrogateescape").split("\n")), block)
