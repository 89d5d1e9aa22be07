"""The bytes of a block as words and numbers: eight bytes from any place, and the digits that end at any place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Array = NDArray[Any]

BEFORE, BEHIND = 32, 64  # NULs around the text, so that a word may begin before it and end behind it
MOST_DIGITS = 8
_PIECE = 1 << 18  # bytes that are searched at once: they stay in the cache


def _word(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_ZEROS, _LOW, _HIGH, _NINE = _word(0x30), _word(0x01), _word(0x80), _word(0x76)
# The last n bytes of a word, n = 0..8
_LAST = np.array([(0xFFFFFFFFFFFFFFFF << 8 * (8 - n)) & 0xFFFFFFFFFFFFFFFF for n in range(9)], np.uint64)
# The first n bytes of a word
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_STEPS = (
    (_word(0x0F), np.uint64(2561), np.uint64(8)),
    (np.uint64(0x00FF00FF00FF00FF), np.uint64(6553601), np.uint64(16)),
    (np.uint64(0x0000FFFF0000FFFF), np.uint64(42949672960001), np.uint64(32)),
)


@dataclass(frozen=True, slots=True)
class Text:
    """The lines of a block: where each begins and ends (without its line end), and its commas.

    Places count from the beginning of `octets`, which has `BEFORE` NULs in front. `first_comma` is an index into
    `commas`, for each line.
    """

    octets: NDArray[np.uint8]
    words: NDArray[np.uint64]  # words[i]: the eight bytes from place i on, the first of them the lowest
    starts: Places
    ends: Places
    commas: Places
    first_comma: Places
    comma_counts: Places


def text_of(data: bytes) -> Text:
    """The lines of a block of whole lines."""
    end = b"" if data.endswith(b"\n") else b"\n"
    held = b"".join((bytes(BEFORE), data, end, bytes(BEHIND)))
    octets = np.frombuffer(held, np.uint8)
    words: NDArray[np.uint64] = np.ndarray((len(held) - 7,), "<u8", held, strides=(1,))
    found = []
    for start in range(BEFORE, len(held) - BEHIND, _PIECE):
        piece = octets[start : min(start + _PIECE, len(held) - BEHIND)]
        there = piece == 10
        there |= piece == 44
        found.append(np.flatnonzero(there) + start)
    marks = np.concatenate(found)
    newlines = np.flatnonzero(octets[marks] == 10)
    ends = marks[newlines]
    starts = np.empty_like(ends)
    starts[0] = BEFORE
    starts[1:] = ends[:-1] + 1
    first = np.empty_like(newlines)
    first[0] = 0
    first[1:] = newlines[:-1] + 1
    ends = ends - (octets[ends - 1] == 13)
    return Text(octets, words, starts, ends, marks, first, newlines - first)


def first_bytes(count: Array) -> Array:
    """Masks that keep the first `count` (0..8) bytes of a word."""
    return _FIRST[np.minimum(count, 8)]


def places_of(word: Array, byte: int) -> Array:
    """How many bytes of each word stand before the first one with this value; 8 where none has it."""
    other = word ^ _word(byte)
    low = (other - _LOW) & ~other & _HIGH
    low &= ~low + np.uint64(1)
    # One bit for each byte up to the found one; without any, the subtraction sets all.
    below = (low - np.uint64(1)) & _LOW
    counted = (below * _LOW) >> np.uint64(56)
    return np.where(low == 0, np.uint64(8), counted - np.uint64(1)).astype(np.int64)


def digits(words: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """The numbers that stand in [start, end), and which of these are one to eight digits and nothing else."""
    widths = ends - starts
    good = (widths >= 1) & (widths <= MOST_DIGITS)
    np.clip(widths, 0, MOST_DIGITS, out=widths)
    value = words[ends - 8]
    value ^= _ZEROS
    value &= _LAST[widths]
    wrong = value + _NINE
    wrong |= value
    wrong &= _HIGH
    good &= wrong == 0
    for mask, factor, shift in _STEPS:
        value &= mask
        value *= factor
        value >>= shift
    return value.astype(np.int64), good


def literal_words(literal: bytes) -> list[tuple[int, int, int]]:
    """Offset, mask and value of the words that a literal is compared by."""
    found = []
    for offset in range(0, len(literal), 8):
        part = literal[offset : offset + 8]
        found.append((offset, (1 << 8 * len(part)) - 1, int.from_bytes(part, "little")))
    return found
