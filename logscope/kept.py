"""The text of a running launch within a budget of bytes, as a source that can be analysed again and again.

The beginning (arguments, sizes, what the release is told by) and the newest half stay whole. In between, lines of hot
families go first, then the oldest of the others. Every line keeps the number that it has in the log.
"""

from __future__ import annotations

import functools
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logscope.shapes import families
from logscope.source import Block, Source

_SEGMENT_BYTES = 1 << 18
_ACCESS = rb'" HTTP/\d'  # of access lines; a JSON wrapper escapes the quote, which leaves this as it is


@functools.cache
def hot_line() -> re.Pattern[bytes]:
    """What a line of a hot family holds, whatever a wrapper put around it."""
    shapes = [shape for family in families().values() if family.hot for shape in family.shapes]
    starts = {start.encode() for shape in shapes for start in shape.starts if len(start) > 8}
    return re.compile(rb"|".join([*map(re.escape, sorted(starts)), _ACCESS]))


@dataclass(slots=True)
class _Segment:
    numbers: NDArray[np.int64]
    data: bytes
    thinned: bool = False


class Kept(Source):
    """What is kept of one launch. `unfinished` is the line that is still being written; it is read as the last one."""

    def __init__(self, path: str, budget_bytes: int) -> None:
        self.budget_bytes = budget_bytes
        self.unfinished = b""
        self.size = 0
        self._segment_bytes = min(_SEGMENT_BYTES, budget_bytes // 16)
        self._segments: list[_Segment] = []
        # A source looks at its head when it is made, and nothing is kept by then.
        super().__init__(path, lambda: io.FileIO(os.devnull))

    def append(self, first: int, data: bytes) -> None:
        """Take whole lines, the first of which has this number."""
        while data:
            end = len(data) if len(data) <= self._segment_bytes else data.rfind(b"\n", 0, self._segment_bytes) + 1
            end = end or data.find(b"\n") + 1
            self._append(first, data[:end])
            first, data = first + data.count(b"\n", 0, end), data[end:]

    def _append(self, first: int, data: bytes) -> None:
        count = data.count(b"\n")
        numbers = np.arange(first, first + count, dtype=np.int64)
        last = self._segments[-1] if self._segments else None
        if last is not None and not last.thinned and len(last.data) + len(data) <= self._segment_bytes:
            last.numbers, last.data = np.concatenate([last.numbers, numbers]), last.data + data
        else:
            self._segments.append(_Segment(numbers, data))
        self.size += len(data)
        if self.size > self.budget_bytes:
            self._thin()

    def drop_before(self, line: int) -> None:
        """Forget the lines before this one."""
        kept = [segment for segment in self._segments if segment.numbers[-1] >= line]
        if kept and kept[0].numbers[0] < line:
            kept[0] = _picked(kept[0], kept[0].numbers >= line)
        self._segments = kept
        self.size = sum(len(segment.data) for segment in kept)

    def shift(self, lines: int) -> None:
        """Count all lines from so many lines later."""
        for segment in self._segments:
            segment.numbers = segment.numbers - lines

    def holes(self) -> dict[int, int]:
        """Where lines were left out: the number of the line before, and that of the line behind."""
        if not self._segments:
            return {}
        numbers = np.concatenate([segment.numbers for segment in self._segments])
        places = np.flatnonzero(np.diff(numbers) > 1)
        return dict(zip(numbers[places].tolist(), numbers[places + 1].tolist(), strict=True))

    @property
    def first(self) -> int:
        """The number of the first kept line; 1 where none is."""
        return int(self._segments[0].numbers[0]) if self._segments else 1

    def blocks(self, size: int = 1 << 20) -> Iterator[Block]:  # noqa: ARG002  as large as they are kept
        """The kept lines with their numbers."""
        last = 0
        for segment in self._segments:
            holes = segment.thinned and bool((np.diff(segment.numbers) > 1).any())
            yield Block(self.path, int(segment.numbers[0]), segment.data, segment.numbers if holes else None)
            last = int(segment.numbers[-1])
        if self.unfinished:
            yield Block(self.path, last + 1, self.unfinished)
        self.bytes = self.expanded_bytes = self.size + len(self.unfinished)
        self.lines = sum(len(segment.numbers) for segment in self._segments) + bool(self.unfinished)
        self.notes = ["older lines were let go of while the log was followed"] if self.holes() else []

    def lines_at(self, numbers: Iterable[int], *, longest_bytes: int | None = None) -> dict[int, bytes]:
        """The kept ones of these lines, without their line end."""
        wanted, found, last = sorted(set(numbers)), {}, 0
        for segment in self._segments:
            inside = np.intersect1d(segment.numbers, np.array(wanted, np.int64), assume_unique=True)
            lines = _lines(segment.data) if len(inside) else []
            for number in inside.tolist():
                place = int(np.searchsorted(segment.numbers, number))
                found[number] = lines[place].rstrip(b"\n")[:longest_bytes]
            last = int(segment.numbers[-1])
        if self.unfinished and last + 1 in wanted:
            found[last + 1] = self.unfinished[:longest_bytes]
        return found

    def _thin(self) -> None:
        """Come down to seven eighths of the budget, so that this is not done at every line."""
        goal = self.budget_bytes * 7 // 8
        newest, begin = 0, len(self._segments)
        while begin > 1 and newest < self.budget_bytes // 2:
            begin -= 1
            newest += len(self._segments[begin].data)
        for place in range(1, begin):
            if self.size <= goal:
                break
            self._replace(place, _thinned(self._segments[place]))
        while self.size > goal and len(self._segments) > 2:
            self.size -= len(self._segments.pop(1).data)
        self._segments = [segment for segment in self._segments if len(segment.numbers)]

    def _replace(self, place: int, segment: _Segment) -> None:
        self.size += len(segment.data) - len(self._segments[place].data)
        self._segments[place] = segment


def _lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data[:-1].split(b"\n")]


def _picked(segment: _Segment, mask: NDArray[np.bool_], *, thinned: bool = False) -> _Segment:
    lines = _lines(segment.data)
    data = b"".join(line for line, stays in zip(lines, mask.tolist(), strict=True) if stays)
    return _Segment(segment.numbers[mask], data, thinned)


def _thinned(segment: _Segment) -> _Segment:
    if segment.thinned:
        return segment
    hot = hot_line()
    mask = np.array([hot.search(line) is None for line in _lines(segment.data)], np.bool_)
    return _picked(segment, mask, thinned=True)
