"""What the lines of an input tell beside their records: process labels, an outer clock, and lines that another input
already holds.

A track watches the unwrapped blocks of one input on their way to the reader. Where several inputs belong to one
incident it remembers a hash of each line, so that lines at the beginning of an input that end an earlier one (rotation,
two dumps of the same pod) are taken out and counted once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from logscope.inputs import natural
from logscope.line import PREFIX, Clock
from logscope.source import Block, Source, line_count

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

NO_TIME = int(np.iinfo(np.int64).min)
_MOST_HASHED = 1 << 18  # lines at the end of an input that are searched for the beginning of the next
_FEWEST_SHARED = 3  # lines; fewer may be alike by chance
_MOST_SAMPLED = 2000  # lines of one input whose two clocks are compared
_STAMPED = re.compile(rb"\d\d:\d\d:\d\d")
_HEAD_STAMP = re.compile(rb"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)")
_TURNED = re.compile(
    r"\.(?:gz|xz|bz2|zst|lz4)$|(?<=[._-])(?:previous|prev|current|old|last)(?=$|[._-])|^(?:previous|current|prev)(?=$|[._-])"
    r"|[._-]\d{4}-?\d\d-?\d\d(?:[T_-]?\d\d[-:]?\d\d(?:[-:]?\d\d)?)?"
)
_NUMBERED = re.compile(r"\.(\d{1,3})$")
_DATE = re.compile(r"\d{4}-?\d\d-?\d\d(?:[T_-]?\d\d[-:]?\d\d(?:[-:]?\d\d)?)?")


@dataclass(slots=True)
class Track:
    """The labels, the outer clock and the hashes of one input's lines, by physical line number where not said
    otherwise.
    """

    path: str
    labels: dict[str, int] = field(default_factory=lambda: {"": 0})
    overlap_lines: int = 0  # at the beginning of this input that `overlaps` ends with
    overlaps: str = ""
    same_as: str = ""  # the input that has the same content
    samples: list[tuple[int, int]] = field(default_factory=list)  # outer and inner clock of a line, in ms
    outer_lines: int = 0
    _coded: list[tuple[Integers, Integers]] = field(default_factory=list)
    _timed: list[tuple[Integers, Integers, Flags]] = field(default_factory=list)
    _hashes: list[Integers] = field(default_factory=list)
    _clock: Clock = field(default_factory=Clock)
    _torn_end: bool = False

    def hash(self, block: Block) -> None:
        """Remember the lines of a block, so that another input may be found to begin with them."""
        self._torn_end = not block.data.endswith(b"\n")
        self._hashes.append(_hashes(block.data))
        while sum(map(len, self._hashes[1:])) > _MOST_HASHED:
            del self._hashes[0]

    def note(self, block: Block) -> None:
        """Remember what the wrappers of a block's lines told."""
        if block.labels is not None:
            codes = [self.labels.setdefault(label, len(self.labels)) for label in block.labels]
            self._coded.append((_numbers(block), np.array(codes, np.int64)))
        if block.outer_times is not None:
            self._note_times(block, block.outer_times.astype("datetime64[ms]").astype(np.int64))

    def _note_times(self, block: Block, outer: Integers) -> None:
        starts = _starts(block.data)
        data = np.frombuffer(block.data + b"\0\0\0\0\0", np.uint8)
        digit = (data >= 48) & (data <= 57)
        # `[12:…` or `[2026-…`, and a stamp that lost its bracket: `2026-…`
        bracketed = (data[starts] == 91) & digit[starts + 1] & digit[starts + 2]
        own = bracketed | (digit[starts] & digit[starts + 3] & (data[starts + 4] == 45))
        self._timed.append((_numbers(block), outer, own))
        self.outer_lines += int(np.count_nonzero(outer != NO_TIME))
        both = np.flatnonzero(own & (outer != NO_TIME))
        for place in both[:: max(1, len(both) // 200)].tolist() if len(self.samples) < _MOST_SAMPLED else ():
            found = PREFIX.match(block.data[starts[place] : starts[place] + 80].decode(errors="replace"))
            if found is not None:
                inner, stamp = self._clock.read(found["date"], found["time"], found["ms"])
                if inner is not None and stamp != "none":
                    self.samples.append((int(outer[place]), inner))

    def codes(self, lines: Integers) -> Integers:
        """The label of each of these lines as the number that `labels` gives it."""
        return _looked_up(lines, self._coded, 0)

    def undated(self, lines: Integers) -> tuple[Integers, Flags]:
        """The outer clock of these lines in ms, and for which of them it is the only one."""
        numbers_own = [(numbers, own.astype(np.int64)) for numbers, _, own in self._timed]
        outer = _looked_up(lines, [(numbers, times) for numbers, times, _ in self._timed], NO_TIME)
        return outer, (outer != NO_TIME) & (_looked_up(lines, numbers_own, 0) == 0)

    @property
    def has_outer_clock(self) -> bool:
        return bool(self._timed) and self.outer_lines > 0

    def tail(self) -> Integers:
        """Hashes of the last lines, without one that has no end."""
        joined = np.concatenate(self._hashes) if self._hashes else np.zeros(0, np.int64)
        return joined[:-1] if self._torn_end else joined


def _looked_up(lines: Integers, known: Sequence[tuple[Integers, Integers]], absent: int) -> Integers:
    if not known or not len(lines):
        return np.full(len(lines), absent, np.int64)
    numbers = np.concatenate([part for part, _ in known])
    values = np.concatenate([part for _, part in known])
    order = np.argsort(numbers, kind="stable")
    place = np.clip(np.searchsorted(numbers[order], lines), 0, len(order) - 1)
    found = values[order[place]]
    return np.where(numbers[order[place]] == lines, found, absent)


def _starts(data: bytes) -> Integers:
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10).astype(np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), ends + 1))
    return starts[: line_count(data)]


def _numbers(block: Block) -> Integers:
    if block.numbers is not None:
        return block.numbers.astype(np.int64)
    return np.arange(block.first, block.first + line_count(block.data), dtype=np.int64)


def _hashes(data: bytes) -> Integers:
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return np.fromiter((hash(line.rstrip(b"\r")) for line in lines), np.int64, len(lines))


def watched(blocks: Iterable[Block], track: Track, earlier: Sequence[Track], *, hashed: bool) -> Iterator[Block]:
    """The blocks, without the lines at the beginning that an earlier input ends with."""
    stream = _hashing(blocks, track) if hashed else iter(blocks)
    first = next(stream, None)
    head = [first] if first is not None else []
    if hashed and first is not None:
        tails = [(one, one.tail()) for one in earlier if not one.same_as]
        most = max((_most_shared(_hashes(first.data), tail) for _, tail in tails), default=0)
        while most and sum(line_count(block.data) for block in head) < most + 1:
            more = next(stream, None)
            if more is None:
                break
            head.append(more)
        if most:
            head = _without_shared(head, track, tails)
    for part in (head, stream):
        for block in part:
            track.note(block)
            if block.data:
                yield block


def _hashing(blocks: Iterable[Block], track: Track) -> Iterator[Block]:
    for block in blocks:
        track.hash(block)
        yield block


def _anchors(own: Integers, tail: Integers) -> Iterator[tuple[int, int]]:
    """Where the first lines stand in the tail: the line of the own input, its place. The first may be torn."""
    for line in range(min(2, len(own))):
        for place in np.flatnonzero(tail == own[line])[:1000].tolist():
            yield line, place


def _most_shared(own: Integers, tail: Integers) -> int:
    return max((len(tail) - place + line for line, place in _anchors(own, tail)), default=0)


def _shared(own: Integers, tail: Integers) -> int:
    """How many lines at the beginning of one input are the end of the other."""
    for line, place in _anchors(own, tail):
        count = min(len(tail) - place, len(own) - line)
        if count >= _FEWEST_SHARED and np.array_equal(tail[place : place + count], own[line : line + count]):
            return line + count
    return 0


def _without_shared(head: list[Block], track: Track, tails: Sequence[tuple[Track, Integers]]) -> list[Block]:
    own = np.concatenate([_hashes(block.data) for block in head])
    count, other = max(((_shared(own, tail), one.path) for one, tail in tails), default=(0, ""))
    text = b"\n".join(block.data for block in head)
    if not count or len(_STAMPED.findall(b"\n".join(text.split(b"\n")[:count]))) < _FEWEST_SHARED:
        return head
    track.overlap_lines, track.overlaps = count, other
    kept = []
    for block in head:
        lines = line_count(block.data)
        kept.append(behind(block, count))
        count = max(0, count - lines)
    return kept


def behind(block: Block, count: int) -> Block:
    """A block without its first lines."""
    lines = line_count(block.data)
    if not count:
        return block
    at = len(block.data) if count >= lines else int(_starts(block.data)[count])
    count = min(count, lines)
    return replace(
        block,
        first=block.first + count,
        data=block.data[at:],
        numbers=None if block.numbers is None else block.numbers[count:],
        labels=None if block.labels is None else block.labels[count:],
        outer_times=None if block.outer_times is None else block.outer_times[count:],
        repeats=None if block.repeats is None else block.repeats[count:],
    )


def in_order(sources: Sequence[Source]) -> list[Source]:
    """The inputs by their first printed date, else by name, the older piece of a rotated log first."""

    def key(source: Source) -> tuple[bytes, list[tuple[int, str]], float]:
        found = _HEAD_STAMP.search(source.head)
        stem, age = rotation(source.path)
        return (found[1] + found[2] if found else b"", natural(stem), -age)

    return sorted(sources, key=key)


def rotation(path: str) -> tuple[str, float]:
    """What the pieces of a rotated log have in common, and the age of this one: `x.log.2.gz` is older than `x.log`."""
    folder, _, name = path.rpartition("/")
    dated = _DATE.search(name)
    old = re.search(r"(?:^|[._-])(?:previous|prev|old|last)(?=$|[._-])", name)
    bare = _TURNED.sub("", name)
    numbered = _NUMBERED.search(bare)
    stem = _NUMBERED.sub("", bare).removesuffix(".log").removesuffix(".txt").strip("._-")
    age = float(numbered[1]) if numbered else 0.0
    if dated:
        # A date orders ascending, and every dated piece is older than the one that is being written.
        age = 1e15 - float(re.sub(r"\D", "", dated[0]).ljust(14, "0"))
    return f"{folder}/{stem}", age + (0.5 if old else 0.0)
