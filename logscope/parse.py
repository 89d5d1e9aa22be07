"""Blocks → columns: every line is recognised, continuation, noise or unread, and the four counts add up.

A record is a head and the lines that continue it. Ranks print at the same time, so several records may be open at once:
a continuation goes to the one that expects it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from logscope.coverage import Coverage, texts_of
from logscope.line import Clock, Segment, segments
from logscope.physical import pieces_of, torn_of
from logscope.record import TORN, TRACEBACK, Open, Row, expecting, families_in, line_at, opened
from logscope.shapes import BREAKS, HOLDS, UNKNOWN, Entry, Values, columns_of, index, may_hold, quoting, read
from logscope.source import Block

__all__ = ["Coverage", "Reader", "Row"]

Status = Literal["recognised", "unread", "continuation", "noise"]
_STRENGTH: dict[Status, int] = {"noise": 0, "continuation": 1, "unread": 2, "recognised": 3}
# Processes whose lines carry a rank where there are several
_SCHEDULERS = ("scheduler", "tpmodelworker", "modeltpserver")
_CUT_STAMP = re.compile(r"\[\d{4}-\d\d-\d\d[ \d:.]*(?: [A-Z_]+\d*)*")
MOST_OPEN = 16
_MOST_TEXT = 1 << 16


@dataclass(slots=True)
class Reader:
    """Reads the blocks of one input in order; rows come out by family."""

    clock: Clock = field(default_factory=Clock)
    coverage: Coverage = field(default_factory=Coverage)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    last_line: int = 0
    joined: dict[int, int] = field(default_factory=dict)  # first and last physical line of a line that was joined again
    hidden: list[tuple[int, int]] = field(default_factory=list)  # first and last line of what users wrote, heads apart
    _open: list[Open] = field(default_factory=list)  # the most recently touched last
    _fresh: bool = False  # nothing stands between the newest open record and the next line
    _time_ms: int | None = None
    _began: bool = False  # some line was recognised
    _torn: int = 0  # so many lines of the first block are the end of a request that was cut
    _highest: int = 0  # physical line of the blocks before whose numbers have gaps
    _place: int = 0  # of the line in its block
    _marks: int = UNKNOWN  # what of evidence sentences the line may hold
    _before: Open | None = None  # the record that the line before belongs to
    _touched: Open | None = None  # the record that the line belongs to
    _hot_places: dict[str, list[int]] = field(default_factory=dict)  # of the rows of hot families

    def feed(self, block: Block) -> None:
        """Take one block of whole lines, one by one."""
        self.look_at(block)
        self.take_lines(block)

    def look_at(self, block: Block) -> None:
        """What the lines of a block are to each other, before any is read."""
        self._torn = 0 if self.last_line else torn_of(block)
        if block.numbers is not None:
            joined, pieces = pieces_of(block.numbers, self._highest)
            self.joined.update(joined)
            self.hidden.extend(pieces)
            self._highest = max(self._highest, int(block.numbers.max(initial=0)))

    def take_lines(self, block: Block) -> None:
        """Take the lines of a block one by one."""
        for place, text in enumerate(texts_of(block.data, self.coverage)):
            self.take_line(block, place, text)

    def take_line(self, block: Block, place: int, text: str, *, marks: int = UNKNOWN) -> None:
        """Take one line of a block; `marks` is what of evidence sentences it may hold."""
        number = block.first + place if block.numbers is None else int(block.numbers[place])
        label = block.labels[place] if block.labels else ""
        repeats = int(block.repeats[place]) if block.repeats is not None else 0
        if place < self._torn:
            self._pass_torn(number)
            return
        self._place, self._marks = place, marks
        self._before, self._touched = self._touched, None
        status: Status = "noise"
        # Marks are known to be fewer than all only of lines that are one segment.
        for segment in segments(text, number, self.clock, label, whole=marks != UNKNOWN):
            of_segment = self._framed(segment, repeats) if segment.framed else self._unframed(segment, repeats)
            if _STRENGTH[of_segment] > _STRENGTH[status]:
                status = of_segment
        self.coverage.counts[status] += 1
        self.last_line = number

    def _pass_torn(self, number: int) -> None:
        """What a user wrote in a record that began before the log: no evidence, and not to be quoted."""
        for line in range(number, self.joined.get(number, number) + 1):
            self._hide(line)
        self.coverage.counts["continuation"] += 1
        self.last_line = number

    def finish(self) -> None:
        """Close what is still open; call once after the last block."""
        while self._open:
            self._close(self._open.pop(0))

    def _framed(self, segment: Segment, repeats: int) -> Status:
        if segment.time_ms is not None:
            self._time_ms = segment.time_ms
        key = f"{segment.label}/{segment.ranks}"
        for record in [r for r in self._open if r.key == key or not r.head.framed]:
            self._open.remove(record)
            self._close(record)
        return self._head(segment, repeats, bare=False)

    def _head(self, segment: Segment, repeats: int, *, bare: bool) -> Status:
        for entry in index().heads(segment.message):
            if bare and not entry.shape.bare:
                continue
            if entry.shape.scope == "record":
                self._start(segment, entry)
                self._inner(segment, segment.message, repeats, taken=entry.name)
                return "recognised"
            values = read(entry, segment.message)
            if values is None:
                continue
            if entry.family.multiline or TRACEBACK in segment.message:
                self._start(segment, entry)
                self._open[-1].values = values
                if not entry.family.multiline:
                    self._add(entry, segment, segment.line, values, repeats)
            else:
                row = self._add(entry, segment, segment.line, values, repeats)
                self._fresh = False
                if not entry.family.hot:
                    self._start(segment, None)
                    self._open[-1].row = (entry, row)
            if not entry.family.hot:
                self._inner(segment, segment.message, repeats, taken=entry.name)
            return "recognised"
        if self._inner(segment, segment.message, repeats):
            self._start(segment, None)
            return "recognised"
        return self._passed(segment)

    def _passed(self, segment: Segment) -> Status:
        unit = index().noise(segment.message)
        if unit is not None:
            self.coverage.programs[unit.program] += 1
            if unit.continues:
                self._start(segment, None, noise=unit.program)
            return "noise"
        if index().begun(segment.message) or _CUT_STAMP.fullmatch(segment.message):
            self.coverage.torn += 1
            return "continuation"
        if segment.framed:
            self._start(segment, None)
            return self._unread(segment)
        return "unread"

    def _unframed(self, segment: Segment, repeats: int) -> Status:
        text = segment.message
        near = [one for one in self._open if not segment.label or one.head.label == segment.label]
        fresh = self._fresh and near[-1:] == self._open[-1:]
        if near and (near[-1].raw or (fresh and near[-1].verbatim)):
            return self._continue(near[-1], segment, repeats)
        record = expecting(near, text, fresh=fresh)
        if record is None and text.strip():
            if fresh and near and near[-1].sentences & self._families(text):
                return self._continue(near[-1], segment, repeats)
            if TORN.match(text):
                self._start(segment, None, torn=True)
                self._inner(segment, text, repeats)
                return "recognised"
            status = self._head(segment, repeats, bare=True)
            if status != "unread":
                return status
        if record is None and near and (fresh or not text.strip()) and near[-1].accepts(text):
            record = near[-1]
        if record is not None:
            return self._continue(record, segment, repeats)
        inside = text[:1].isspace() and not self._began  # the input begins in the middle of a record
        return "continuation" if inside else self._unread(segment) if text.strip() else "noise"

    def _continue(self, record: Open, segment: Segment, repeats: int) -> Status:
        text = segment.message
        self._open.remove(record)
        self._open.append(record)
        self._fresh = self._fresh or bool(text.strip())  # a blank line revives nothing
        record.add(text, segment.line)
        self._touch(record)
        if record.noise:
            return "noise"
        taken = record.entry.name if record.entry is not None and record.entry.family.private else ""
        if record.quotes:
            self._hide(segment.line)
        return "recognised" if self._inner(record.head, text, repeats, segment.line, taken) else "continuation"

    def _hide(self, line: int) -> None:
        first = self.hidden.pop()[0] if self.hidden and self.hidden[-1][1] == line - 1 else line
        self.hidden.append((first, line))

    def _touch(self, record: Open) -> None:
        """Note that the line continues a record: marks are told of lines that stand next to each other."""
        record.marks |= self._marks if self._before is record else self._marks | BREAKS
        self._touched = record

    def _families(self, text: str) -> set[str]:
        return families_in(text) if self._marks & HOLDS else set()

    def _start(self, segment: Segment, entry: Entry | None, noise: str = "", *, torn: bool = False) -> None:
        self._touched = opened(segment, entry, noise, torn=torn, marks=self._marks)
        self._open.append(self._touched)
        self._fresh = True
        if len(self._open) > MOST_OPEN:
            self._close(self._open.pop(0))

    def _close(self, record: Open) -> None:
        if record.noise:
            return
        lines = [TRACEBACK + ":", *record.lines] if record.torn else record.lines
        text = "\n".join(lines)[:_MOST_TEXT]
        taken = ""
        if record.entry is not None and (record.entry.shape.scope == "record" or record.entry.family.multiline):
            values = read(record.entry, text) if record.entry.shape.scope == "record" else record.values
            if values is not None:
                self._complete(record, record.entry, values, text)
                taken = record.entry.name
        holds = not record.quotes and (len(record.lines) > 1 or TRACEBACK in text)
        for literal, entry in index().records if holds else ():
            if entry.name != taken and literal in text and (values := read(entry, text)) is not None:
                self._complete(record, entry, values, text)
                break
        if len(record.lines) > 1:
            self._rewrapped(record)
            self._lengthened(record)

    @staticmethod
    def _lengthened(record: Open) -> None:
        """Add what a message that somebody broke over several lines says behind its first one."""
        if record.row is None:
            return
        entry, row = record.row
        whole = read(entry, " ".join(line.strip() for line in record.lines)[:_MOST_TEXT])
        if whole is not None and len(whole.values) > len(row.values.values):
            row.values, row.last_line = whole, record.last_line

    def _rewrapped(self, record: Open) -> None:
        """Evidence sentences that somebody broke over several lines of a record: read again from the joined text."""
        if record.entry is not None and record.entry.name in quoting():
            return
        if not may_hold(record.marks, record.lines):
            return
        flat = " ".join(line.strip() for line in record.lines)[:_MOST_TEXT]
        for literal, entry in index().sentences(flat):
            at = flat.find(literal)
            if at < 0 or any(row.line >= record.head.line for row in self.rows.get(entry.name, ())[-MOST_OPEN:]):
                continue
            values = read(entry, flat)
            if values is not None:
                line = record.numbers[line_at(record.lines, at)]
                self._add(entry, record.head, line, values, 0, line)

    def _complete(self, record: Open, entry: Entry, values: Values, text: str) -> None:
        if "text" in columns_of(entry.name)[0]:
            values.values.setdefault("text", text)
        self._add(entry, record.head, record.last_line, values, 0)
        begin = text[: max(text.find(str(values.values.get("text", ""))), 0)].count("\n")
        numbers = record.numbers[:1] + record.numbers if record.torn else record.numbers
        self.rows[entry.name][-1].numbers = tuple(numbers[begin:])

    def _inner(self, head: Segment, text: str, repeats: int, line: int = 0, taken: str = "") -> bool:
        """Try the sentences that may stand on any line; true if a family took one. What a user wrote is no evidence."""
        if not self._marks & HOLDS or taken in quoting():
            return False
        found = False
        for _, entry in index().sentences(text):
            if entry.name != taken and (values := read(entry, text)) is not None:
                self._add(entry, head, line or head.line, values, repeats, line or head.line)
                taken = entry.name
                found = True
        return found

    def _add(self, entry: Entry, head: Segment, last: int, values: Values, repeats: int, line: int = 0) -> Row:
        for key in values.unknown:
            self.coverage.unknown_keys[entry.name, key] += 1
        process = str(values.values.get("process", entry.family.process)).lower()
        rank = head.ranks or ("TP0" if process.startswith(_SCHEDULERS) else "main")
        time_ms = head.time_ms if head.time_ms is not None else self._time_ms
        row = Row(line or head.line, last, rank, time_ms, entry.number, values, repeats)
        self.rows.setdefault(entry.name, []).append(row)
        self._began = True
        if entry.family.hot:
            self._hot_places.setdefault(entry.name, []).append(self._place)
        return row

    def _unread(self, segment: Segment) -> Status:
        self.coverage.count_unread(segment.message, segment.line)
        return "unread"
