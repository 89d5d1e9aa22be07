"""What the physical lines of a block are to each other: pieces of one line, or the end of a request that was cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from logscope.redact.torn import torn_lines
from logscope.source import Block

Ranges = list[tuple[int, int]]  # first and last line of each


def torn_of(block: Block) -> int:
    """How many lines of the first block of an input are the end of a request record."""
    return torn_lines(_texts(block.data))


def _texts(data: bytes) -> Iterator[str]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield data[start:end].decode(errors="replace")
        start = end + 1


def pieces_of(numbers: NDArray[np.int64], before: int) -> tuple[dict[int, int], Ranges]:
    """First and last physical line of the lines that were joined again, and pieces of which no line is known.

    Where lines of another stream stand between the pieces, the joined line comes behind them: no piece is told to be a
    certain line's, and none is to be quoted. `before` is the last physical line of the block before.
    """
    if not len(numbers):
        return {}, []
    if numbers[0] > before and (np.diff(numbers) >= 0).all():
        gaps = np.flatnonzero(np.diff(numbers) > 1)
        return dict(zip(numbers[gaps].tolist(), (numbers[gaps + 1] - 1).tolist(), strict=True)), []
    known = np.unique(np.append(numbers, before))
    gaps = np.flatnonzero(np.diff(known) > 1)
    return {}, list(zip((known[gaps] + 1).tolist(), (known[gaps + 1] - 1).tolist(), strict=True))


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The same lines as ranges in order that do not overlap."""
    out: Ranges = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return out
