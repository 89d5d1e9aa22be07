"""The lines of a block as lists that a wrapper edits, and back to a block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logscope.source import Block

NO_TIME = np.iinfo(np.int64).min  # what numpy holds in a datetime64 that is not a time


@dataclass(slots=True)
class Lines:
    """One entry a line: its text without newline, original number, label, outer clock (ms since 1970), repeats."""

    path: str
    texts: list[bytes]
    numbers: list[int]
    labels: list[str]
    times_ms: list[int]
    repeats: list[int]
    ended: bool  # whether the last line has its newline

    def add(self, other: Lines, place: int, text: bytes) -> None:
        """Append a line of another block with a text of its own; a text of several lines becomes as many lines."""
        if b"\n" in text:
            for part in text.split(b"\n"):
                self.add(other, place, part)
            return
        self.texts.append(text)
        self.numbers.append(other.numbers[place])
        self.labels.append(other.labels[place])
        self.times_ms.append(other.times_ms[place])
        self.repeats.append(other.repeats[place])

    def head(self, count: int) -> Lines:
        """The first lines."""
        return Lines(
            self.path,
            self.texts[:count],
            self.numbers[:count],
            self.labels[:count],
            self.times_ms[:count],
            self.repeats[:count],
            True,
        )

    def label(self, place: int, label: str) -> None:
        """Set a label inside the one of an outer wrapper."""
        outer = self.labels[place]
        self.labels[place] = f"{outer}/{label}" if outer and label else outer or label

    def time(self, place: int, time_ms: int) -> None:
        """Set the outer clock, unless a wrapper further out has set it."""
        if self.times_ms[place] == NO_TIME:
            self.times_ms[place] = time_ms

    def block(self) -> Block:
        """The lines as a block; what no wrapper has set stays None, numbers only if they are not consecutive."""
        data = b"\n".join(self.texts) + (b"\n" if self.ended and self.texts else b"")
        first = self.numbers[0] if self.numbers else 1
        consecutive = self.numbers == list(range(first, first + len(self.numbers)))
        return Block(
            self.path,
            first,
            data,
            None if consecutive else np.array(self.numbers, np.int64),
            tuple(self.labels) if any(self.labels) else None,
            _times(self.times_ms),
            np.array(self.repeats, np.int64) if any(self.repeats) else None,
        )


def lines_of(block: Block) -> Lines:
    """The lines of a block."""
    texts = block.data.split(b"\n")
    ended = not texts[-1]
    if ended:
        texts.pop()
    count = len(texts)
    return Lines(
        block.path,
        texts,
        list(range(block.first, block.first + count)) if block.numbers is None else block.numbers.tolist(),
        [""] * count if block.labels is None else list(block.labels),
        [NO_TIME] * count if block.outer_times is None else block.outer_times.astype(np.int64).tolist(),
        [0] * count if block.repeats is None else block.repeats.tolist(),
        ended,
    )


def no_lines(path: str) -> Lines:
    """A list without lines, to be filled with `add`."""
    return Lines(path, [], [], [], [], [], True)


def _times(times_ms: Sequence[int]) -> NDArray[np.datetime64] | None:
    if all(time == NO_TIME for time in times_ms):
        return None
    return np.array(times_ms, np.int64).astype("datetime64[ms]")
