"""The bytes of a block as words and numbers: eight bytes from any place, and the digits that begin there."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Array = NDArray[Any]

# NULs around the text, so that a word may begin before it, and a literal that is looked for at its end lie behind it
BEFORE, BEHIND = 32, 1 << 13
MOST_DIGITS = 8
_PIECE = 1 << 18  # bytes that are searched at once: they stay in the cache


def _word(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_ZEROS, _LOW, _HIGH, _NINE = _word(0x30), _word(0x01), _word(0x80), _word(0x76)
# The first n bytes of a word
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_WHOLE = _FIRST[8]
_STEPS = (
    (_word(0x0F), np.uint64(2561), np.uint64(8)),
    (np.uint64(0x00FF00FF00FF00FF), np.uint64(6553601), np.uint64(16)),
    (np.uint64(0x0000FFFF0000FFFF), np.uint64(42949672960001), np.uint64(32)),
)


@dataclass(frozen=True, slots=True)
class Text:
    """The lines of a block: where each begins and ends (without its line end).

    Places count from the beginning of `octets`, which has `BEFORE` NULs in front and `BEHIND` at the end.
    """

    octets: NDArray[np.uint8]
    words: NDArray[np.uint64]  # words[i]: the eight bytes from place i on, the first of them the lowest
    starts: Places
    ends: Places

    def spans(self, width: int, places: Places) -> Array:
        """The `width` bytes from each place on: taking 64 of them at some places costs what taking eight does."""
        held: Array = np.ndarray((len(self.octets) - width + 1,), f"V{width}", self.octets, strides=(1,))[places]
        return held

    def behind(self, literal: bytes, places: Places) -> tuple[Array, Array]:
        """Which places begin with a literal, and the eight bytes behind it."""
        held = self.spans(len(literal) + 8, places)
        fits = np.ones(len(held), bool)
        for offset, mask, value in _literal_words(literal):
            fits &= (word_at(held, offset) & mask) == value if mask != _WHOLE else word_at(held, offset) == value
        return fits, word_at(held, len(literal))


def word_at(held: Array, offset: int) -> Array:
    """Eight bytes of each span."""
    words: Array = np.ndarray(len(held), "<u8", held, offset, held.strides)
    return words


@functools.cache
def _literal_words(literal: bytes) -> tuple[tuple[int, np.uint64, np.uint64], ...]:
    """Offset, mask and value of the words that a literal is compared by: the last one ends with it."""
    if len(literal) < 8:
        return ((0, _FIRST[len(literal)], np.uint64(int.from_bytes(literal, "little"))),)
    offsets = sorted({*range(0, len(literal) - 7, 8), len(literal) - 8})
    parts = [(offset, literal[offset : offset + 8]) for offset in offsets]
    return tuple((offset, _WHOLE, np.uint64(int.from_bytes(part, "little"))) for offset, part in parts)


def text_of(data: bytes) -> Text:
    """The lines of a block of whole lines."""
    end = b"" if data.endswith(b"\n") else b"\n"
    held = b"".join((bytes(BEFORE), data, end, bytes(BEHIND)))
    octets = np.frombuffer(held, np.uint8)
    words: NDArray[np.uint64] = np.ndarray((len(held) - 7,), "<u8", held, strides=(1,))
    stop = len(held) - BEHIND
    pieces = range(BEFORE, stop, _PIECE)
    ends = np.concatenate([np.flatnonzero(octets[at : min(at + _PIECE, stop)] == 10) + at for at in pieces])
    starts = np.empty_like(ends)
    starts[0] = BEFORE
    starts[1:] = ends[:-1] + 1
    return Text(octets, words, starts, ends - (octets[ends - 1] == 13))


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


def leading_digits(words: Array) -> tuple[Array, Array]:
    """The whole number that each word begins with, and how many digits it has: none to eight."""
    value = words ^ _ZEROS
    other = value + _NINE
    other |= value
    other &= _HIGH
    other &= ~other + np.uint64(1)
    # One bit for each byte up to the first that is no digit; where all are digits, the subtraction sets all.
    counted = (((other - np.uint64(1)) & _LOW) * _LOW) >> np.uint64(56)
    widths = counted - (other != 0)
    value <<= (np.uint64(MOST_DIGITS) - widths) << np.uint64(3)
    for mask, factor, shift in _STEPS:
        value &= mask
        value *= factor
        value >>= shift
    return value, widths.astype(np.int64)
