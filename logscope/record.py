"""A record while its lines come in: a head, the lines that continue it, and what the next line must look like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from logscope.line import Segment
from logscope.shapes import HOLDS, UNKNOWN, Entry, Values, index, quoting

TRACEBACK = "Traceback (most recent call last)"
ANSWER = ", out="
_QUOTES = re.compile("['\"]")
_TO_THE_END_OF = {quote: re.compile(rf"(?:[^{quote}\\]++|\\.)*+{quote}", re.DOTALL) for quote in "'\""}
MOST_LINES = 4000  # of one record; a longer one keeps its beginning and counts the rest
_JOINERS = ("The above exception was the direct cause", "During handling of the above exception", TRACEBACK)
_EXCEPTION = re.compile(
    r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Exit|Interrupt|Warning|Timeout|Failure)?(?::|$)"
)
# The middle of a traceback whose head was cut away: a frame, or an exception that nobody's text before it announces.
TORN = re.compile(r'\s+File "[^"]+", line \d+, in |(?:[A-Za-z_]\w*\.)*\w*(?:Error|Exception|OutOfMemory): ')


@dataclass(slots=True)
class Row:
    """One row of a family before it becomes part of a column."""

    line: int
    last_line: int
    rank: str
    time_ms: int | None
    shape: int
    values: Values
    repeats: int = 0
    numbers: tuple[int, ...] = ()  # the physical line of each line of a record's text


@dataclass(slots=True, eq=False)
class Open:
    """One record that may still go on."""

    head: Segment
    entry: Entry | None
    lines: list[str]
    last_line: int
    state: Literal["frames", "done", "text"]
    noise: str = ""
    sentences: set[str] = field(default_factory=set)  # families of the evidence sentences on its lines
    torn: bool = False  # a traceback whose head was cut away
    numbers: list[int] = field(default_factory=list)  # the physical line of each of its lines
    marks: int = UNKNOWN  # what of evidence sentences its lines may hold
    values: Values | None = None  # of its first line, where that was read
    row: tuple[Entry, Row] | None = None  # what its first line gave, if that was read by itself
    raw: bool = False  # a prompt with its own line ends (request logs to 0.4.0.post2): up to the answer all is text
    _quote: str | None = None  # that is open behind its last line, once somebody asked

    @property
    def verbatim(self) -> bool:
        """Whether the next line still is what a user wrote, whatever it looks like."""
        return self.raw or bool(self.quotes and self._open_quote())

    @property
    def quotes(self) -> bool:
        """Whether it holds what a user wrote."""
        return self.entry is not None and self.entry.name in quoting()

    @property
    def informs(self) -> bool:
        """Whether its head only tells of a start: no exception comes with it, a traceback behind it is another's."""
        entry = self.entry or (self.row[0] if self.row is not None else None)
        return entry is not None and entry.family.informs

    @property
    def whole(self) -> bool:
        """Whether what a user wrote has ended: nothing goes on with it."""
        return self.quotes and self.lines[-1].rstrip().endswith((")", "}", "]")) and not self.verbatim

    def _open_quote(self) -> str:
        if self._quote is None:
            self._quote = quote_behind("\n".join(self.lines))
        return self._quote

    @property
    def key(self) -> str:
        """Whose record it is: the next head of the same process ends it."""
        return f"{self.head.label}/{self.head.ranks}" if self.head.framed else f"{self.head.label}/-"

    def raised_by(self, text: str) -> bool:
        """Whether a line names the exception that ends the frames."""
        return self.state == "frames" and text[:1].strip() != "" and _EXCEPTION.match(text) is not None

    def extend(self, texts: Sequence[str], numbers: Sequence[int]) -> None:
        """Add lines that change nothing about what may come next."""
        room = max(MOST_LINES - len(self.lines), 0)
        self.lines.extend(texts[:room])
        self.numbers.extend(numbers[:room])
        self.last_line = numbers[-1]

    def add(self, text: str, number: int) -> None:
        """Add one line, and see where in a traceback it leads."""
        if self.quotes:
            self._quote = quote_behind(text, self._open_quote())
        self.raw = self.raw and ANSWER not in text
        self.extend((text,), (number,))
        if self.quotes:
            return  # a traceback that a user quotes has no frames to wait for
        if text.startswith(_JOINERS) or TRACEBACK in text:
            self.state = "frames"
        elif self.raised_by(text):
            self.state = "done"

    def accepts(self, text: str) -> bool:
        """Whether a line that nobody expects may belong to it."""
        if not text.strip() or self.noise or self.state != "text":
            return True
        return self.entry is not None and self.entry.family.multiline and not self.whole


def opened(segment: Segment, entry: Entry | None, noise: str = "", *, torn: bool = False, marks: int = UNKNOWN) -> Open:
    """A record that begins with this segment."""
    quotes = entry is not None and entry.name in quoting()
    framed = torn or (not quotes and TRACEBACK in segment.message)
    state: Literal["frames", "done", "text"] = "frames" if framed else "text"
    if torn and not segment.message[:1].isspace():
        state = "done"
    sentences = families_in(segment.message) if not noise and marks & HOLDS else set()
    raw = segment.message.startswith("in=") and ANSWER not in segment.message
    head = [segment.message]
    numbers = [segment.line]
    return Open(segment, entry, head, segment.line, state, noise, sentences, torn, numbers, marks, raw=raw)


def expecting(records: Sequence[Open], text: str, *, fresh: bool) -> Open | None:
    """The open record that this line plainly continues; `fresh`: nothing stands between the newest one and the line."""
    indented = text[:1] in (" ", "\t")
    for record in reversed(records):
        if record.state == "frames" and (indented or text.startswith(_JOINERS) or _EXCEPTION.match(text)):
            return record
        if record.state == "done" and text.startswith(_JOINERS):
            return record
    newest = records[-1] if records and fresh and not records[-1].whole else None
    if newest is not None and (indented or (text.startswith(TRACEBACK) and newest.head.framed and not newest.informs)):
        return newest
    return None


def families_in(text: str) -> set[str]:
    """The families whose evidence sentences this text may hold."""
    return {entry.name for _, entry in index().sentences(text)}


def quote_behind(text: str, quote: str = "") -> str:
    """The quote that is open behind a text, "" for none; `quote` was open before it."""
    at = 0
    while True:
        if quote:
            end = _TO_THE_END_OF[quote].match(text, at)
            if end is None:
                return quote
            at = end.end()
        begin = _QUOTES.search(text, at)
        if begin is None:
            return ""
        quote, at = begin[0], begin.end()


def line_at(lines: Sequence[str], place: int) -> int:
    """Which of the stripped lines holds this place of their joined text."""
    for number, line in enumerate(lines):
        place -= len(line.strip()) + 1
        if place < 0:
            return number
    return len(lines) - 1
