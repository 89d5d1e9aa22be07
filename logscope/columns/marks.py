"""What of evidence sentences each of some lines may hold, told of all of them at once.

A sentence stands in a line, or goes over the end of one into the next line of the same record. Lines of tracebacks
repeat, so each is looked at once.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope.columns.words import Array, Places, Text
from logscope.sentences import UNEVEN
from logscope.shapes import BREAKS, HOLDS, UNKNOWN, index

_LEAST_SEARCHED = 1 << 15  # bytes: a pattern of so many literals takes milliseconds to be made
_MOST_KNOWN = 1 << 16  # lines


class Marks:
    """Tells the marks of lines; remembers what may go over the ends of those seen lately."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[int, int]] = {}

    def of(self, text: Text, lines: Places, stamped: Array) -> Array:
        """The marks (`shapes.HOLDS`, `shapes.BREAKS`) of these lines, none for most.

        A line is taken to be continued by the next one if that has no stamp, and by no other: who continues it by
        another has to look.
        """
        starts, ends = text.starts[lines], text.ends[lines]
        if int((ends - starts).sum()) < _LEAST_SEARCHED:
            return np.full(len(lines), UNKNOWN, np.int8)
        offsets = np.empty(2 * len(lines), np.int32)
        offsets[0::2], offsets[1::2] = starts, ends
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text.octets)]
        spans = pa.Array.from_buffers(pa.binary(), 2 * len(lines) - 1, buffers)
        coded = spans.take(pa.array(np.arange(0, 2 * len(lines), 2))).dictionary_encode()
        which, alike = coded.indices.to_numpy(), coded.dictionary
        marks: Array = np.where(_matched(alike, index().evidence), HOLDS, 0).astype(np.int8)
        marks[_matched(alike, UNEVEN)] = UNKNOWN
        found: Array = marks[which]
        follows = ~stamped
        looked_at = follows.copy()
        looked_at[:-1] |= follows[1:]
        looked_at[-1] = True
        behind, before = self._over_ends(alike, np.unique(which[looked_at]))
        found[_goes_over(lines, follows, behind[which], before[which])] |= BREAKS
        return found

    def _over_ends(self, alike: pa.Array, some: Places) -> tuple[Array, Array]:
        """What may go on behind each of some lines, and what may have begun before it; -1 (all) for a blank one."""
        if len(self._known) > _MOST_KNOWN:
            self._known = {}
        known, breaks = self._known, index().breaks
        found = np.zeros((len(alike), 2), object)
        for place, line in zip(some.tolist(), alike.take(pa.array(some)).to_pylist(), strict=True):
            if line not in known:
                stripped = line.decode("latin-1").strip()
                known[line] = (breaks.behind(stripped), breaks.before(stripped)) if stripped else (-1, -1)
            found[place] = known[line]
        return found[:, 0], found[:, 1]


def _matched(lines: pa.Array, pattern: str) -> Array:
    matched: Array = pc.match_substring_regex(lines, pattern).to_numpy(zero_copy_only=False)
    return matched


def _goes_over(lines: Places, follows: Array, behind: Array, before: Array) -> Array:
    """Which lines may hold a part of something that goes over to or from a neighbour; of one at an edge, any part."""
    pairs = (np.diff(lines) == 1) & follows[1:]
    pairs[pairs] = (behind[:-1][pairs] & before[1:][pairs]) != 0
    found: Array = np.zeros(len(lines), bool)
    found[:-1] |= pairs
    found[1:] |= pairs
    found[0] |= before[0] != 0
    found[-1] |= behind[-1] != 0
    found |= (behind == -1) & (before == -1)
    return found
