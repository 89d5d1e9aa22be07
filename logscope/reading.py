"""Blocks → columns where hot lines were read by column: all others are taken one by one, as if none was missing."""

from __future__ import annotations

import datetime
import functools
import itertools
import operator
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from logscope.columns.chunk import Chunk
from logscope.columns.hot import Found, HotLines
from logscope.columns.words import BEFORE, Places
from logscope.coverage import Coverage, text_of
from logscope.line import bare, glued
from logscope.parse import MOST_OPEN, Reader
from logscope.record import TRACEBACK, Open, Row, expecting
from logscope.shapes import HOLDS
from logscope.source import Block

_MOST_ROWS = 1 << 13  # of a family that are kept as objects: three kilobytes each


@dataclass(frozen=True, slots=True)
class Taken:
    """The rows of one hot family in one block: those read by column, and those that were read one by one."""

    chunk: tuple[Chunk, Places] | None  # with the places of its lines in the block
    rows: list[Row]
    places: Places  # of the rows' lines


@dataclass(slots=True)
class BlockReader(Reader):
    """A reader of lines that is told which lines of a block are read already."""

    def take(self, block: Block, found: Found | None) -> dict[str, Taken]:
        """Take one block whose hot lines were read by column; gives the rows of hot families, which are not kept."""
        self.look_at(block)
        if found is None or self._torn:
            found = None  # the few lines read by column may be a user's words
            self.take_lines(block)
        else:
            passed = 0
            for before, first, texts, marks in slow_lines(block, found, self.coverage):
                if before > passed:
                    self._pass(block, found, passed, before)
                    passed = before
                if len(texts) == 1 or not self._extend(block, first, texts, marks):
                    for place, text, mark in zip(itertools.count(first), texts, marks, strict=False):
                        self.take_line(block, place, text, marks=mark)
            if len(found.lines) > passed:
                self._pass(block, found, passed, len(found.lines))
            self.coverage.unknown_keys.update(found.unknown)
        return self._hot_rows({} if found is None else found.chunks)

    def ripe(self, most: int = _MOST_ROWS) -> dict[str, list[Row]]:
        """The rows of families of which there are more than so many, without those that may still change."""
        growing = {id(record.row[1]) for record in self._open if record.row is not None}
        found: dict[str, list[Row]] = {}
        for name, rows in self.rows.items():
            if len(rows) > most:
                # The type of a new key's column is told by all rows that have it.
                held = [id(row) in growing or bool(row.values.unknown) for row in rows[:-MOST_OPEN]]
                found[name] = [row for row, stays in zip(rows, held, strict=False) if not stays]
                self.rows[name] = [*itertools.compress(rows, held), *rows[-MOST_OPEN:]]
        return found

    def _extend(self, block: Block, first: int, texts: Sequence[str], marks: Sequence[int]) -> bool:
        """Add indented lines, and the exception behind them, to the record that they all continue; false where one of
        them may say more than that.
        """
        together = functools.reduce(operator.or_, marks)
        newest = self._open[-1] if self._open else None
        record = expecting(self._open, texts[0], fresh=self._fresh)
        if together & HOLDS or block.repeats is not None:
            return False
        if newest is None or record is None or newest.verbatim or record.quotes:
            return False
        raised = not texts[-1][:1].isspace()
        whole = "\n".join(texts)
        if "\r" in whole or TRACEBACK in whole or glued(whole):
            return False
        if raised and not (record is newest and record.raised_by(texts[-1]) and bare(texts[-1])):
            return False
        self._open.remove(record)
        self._open.append(record)
        self._fresh = self._fresh or bool(whole.strip())
        places = range(first, first + len(texts))
        numbers = [block.first + place for place in places] if block.numbers is None else block.numbers[places].tolist()
        record.extend(texts, numbers)
        record.state = "done" if raised else record.state
        self._before, self._marks = self._touched, together
        self._touch(record)
        self.coverage.counts["noise" if record.noise else "continuation"] += len(texts)
        self.last_line = numbers[-1]
        return True

    def _pass(self, block: Block, found: Found, start: int, stop: int) -> None:
        """What hot lines (the `start`-th to the `stop`-th that were found) do to the state between records."""
        if self._open:
            ends = {id(record): _ended(record, block, found, start, stop) for record in self._open}
            ended = [record for record in self._open if ends[id(record)] < stop]
            for record in sorted(ended, key=lambda record: ends[id(record)]):
                self._time_ms = int(found.seconds[ends[id(record)]]) * 1000
                self._open.remove(record)
                self._close(record)
        self._fresh, self._began, self._touched = False, True, None
        seconds = int(found.seconds[stop - 1])
        self._time_ms = seconds * 1000
        self.clock.year = datetime.date.fromordinal(719163 + seconds // 86400).year
        self.clock.kinds["dated"] = self.clock.kinds.get("dated", 0) + stop - start
        self.coverage.counts["recognised"] += stop - start
        place = int(found.lines[stop - 1])
        number = block.first + place if block.numbers is None else int(block.numbers[place])
        self.last_line = number

    def _hot_rows(self, chunks: Mapping[str, tuple[Chunk, Places]]) -> dict[str, Taken]:
        places = {name: np.array(found, np.int64) for name, found in self._hot_places.items()}
        self._hot_places.clear()
        return {
            name: Taken(chunks.get(name), self.rows.pop(name, []), places.get(name, np.zeros(0, np.int64)))
            for name in dict.fromkeys([*chunks, *places])
        }


def _ended(record: Open, block: Block, found: Found, start: int, stop: int) -> int:
    """The first of the hot lines that ends a record; `stop` where none does."""
    if not record.head.framed:
        return start
    if record.head.ranks not in found.names:
        return stop
    inside = found.ranks[start:stop] == found.names.index(record.head.ranks)
    if block.labels:
        labels = [block.labels[place] for place in found.lines[start:stop].tolist()]
        inside &= np.array([label == record.head.label for label in labels], bool)
    elif record.head.label:
        return stop
    return start + int(np.argmax(inside)) if inside.any() else stop


def slow_lines(block: Block, found: Found, coverage: Coverage) -> Iterator[tuple[int, int, list[str], list[int]]]:
    """The lines that were not read, in order: how many others stand before, the place of the first, the texts, and
    their marks. Indented lines behind each other come together, with the line behind them.
    """
    text, places = found.text, found.rest
    if not len(places):
        return
    raw = block.data
    starts = text.starts[places]
    first = text.octets[starts]
    indented = (first == 32) | (first == 9)
    # A line behind indented ones goes with them if it begins with a letter, as the names of exceptions do.
    going_on = indented | ((first | 32) >= 97) & ((first | 32) <= 122)
    fresh = np.ones(len(places), bool)
    fresh[1:] = ~(going_on[1:] & indented[:-1] & (np.diff(places) == 1))
    bounds = np.append(np.flatnonzero(fresh), len(places)).tolist()
    begins, ends = (starts - BEFORE).tolist(), (text.ends[places] - BEFORE).tolist()
    marks = found.marks.tolist()
    for n, stop in itertools.pairwise(bounds):
        whole = raw[begins[n] : ends[stop - 1]]
        # One text for all of them is half the work; what is not UTF-8 is told line by line.
        if stop == n + 1 or b"\r" in whole or not whole.isascii():
            texts = [text_of(raw[begins[m] : ends[m]], coverage) for m in range(n, stop)]
        else:
            texts = whole.decode("ascii").split("\n")
        yield int(places[n]) - n, int(places[n]), texts, marks[n:stop]


def _threads() -> int:
    """As many as there are processors, at most four: the reader of lines runs beside them."""
    asked = os.environ.get("LOGSCOPE_THREADS", "")
    return int(asked) if asked.isdigit() else min(os.cpu_count() or 1, 4)


def in_threads(blocks: Iterable[Block], hot: HotLines) -> Iterator[tuple[Block, Found | None]]:
    """Each block with what was read of it by column, in order; blocks behind it are read meanwhile."""
    threads, coming = _threads(), iter(blocks)
    begun = list(itertools.islice(coming, 2))
    if threads < 2 or len(begun) < 2:  # a pool for one block costs more than the block
        yield from ((block, hot.read(block)) for block in itertools.chain(begun, coming))
        return
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[tuple[Block, Future[Found | None]]] = deque()
        for block in itertools.chain(begun, coming):
            ahead.append((block, pool.submit(hot.read, block)))
            if len(ahead) > threads:
                first, found = ahead.popleft()
                yield first, found.result()
        while ahead:
            first, found = ahead.popleft()
            yield first, found.result()
