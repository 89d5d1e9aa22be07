r"""Line numbers of an editor or a viewer: vi, less -N, cat -n, nl, grep -n (with the file's name), bat, an IDE.

Sample (each with the next number):

    16433 [2026-07-23 15:23:26 DP2 TP2 EP2] a → [2026-07-23 15:23:26 DP2 TP2 EP2] a
    16434   File "/srv/scheduler.py", line 4656, in run →   File "/srv/scheduler.py", line 4656, in run
    "2.log" 16498L, 2947832B → "2.log" 16498L, 2947832B
    16435 →
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper
from logscope.wrappers._inner import STAMPED, written
from logscope.wrappers._prefix import Prefix

NAME = "line_numbers"

_FILE = r"(?:(?P<label>(?!\d{4}-\d\d)[\w./~+-]{0,200}[A-Za-z][\w./~+-]{0,200})[:-](?=\d+[:-]))?"
_NUMBER = re.compile(rf"{_FILE} *(?P<number>\d{{1,9}})(?P<gap>:[ \t]?|\t| ?[|│┃→] ?| +|$)")


def _numbered(lines: Sequence[str]) -> list[re.Match[str]]:
    return [found for line in lines if (found := _NUMBER.match(line))]


def detect(lines: Sequence[str]) -> Detection | None:
    """By numbers that rise from line to line, with records of SGLang behind them."""
    sample = written(lines)
    numbers = [int(hit["number"]) for hit in _numbered(sample)]
    if not numbers or len(numbers) < 0.8 * len(sample):
        return None
    rising = sum(1 for a, b in pairwise(numbers) if a < b)
    hits = _prefix(sample).hits(sample)
    if rising < 0.9 * (len(numbers) - 1) or not hits.proven or hits.bare or (len(numbers) < 3 and not hits.stamped):
        return None
    why = f"{len(numbers)} of {len(sample)} lines begin with rising numbers, {numbers[0]} to {numbers[-1]}"
    return Detection("certain" if len(numbers) > 3 and hits.proven > 1 else "likely", why)


def _prefix(lines: Sequence[str]) -> Prefix:
    """The pattern with the gap before SGLang's own prefix, which is never indented; else with the shortest gap."""
    found = _numbered(lines)
    before_stamp = Counter(hit["gap"] for hit in found if STAMPED.match(hit.string, hit.end()))
    # A frame of a traceback has two blanks of its own.
    gaps = [hit["gap"][: -2 if hit.string.startswith('File "', hit.end()) else None] for hit in found]
    shortest = min(filter(None, gaps), key=len, default=" ")
    gap = next(iter(before_stamp.most_common(1)), (shortest, 0))[0]
    return Prefix(rf"{_FILE} *\d{{1,9}}(?:{re.escape(gap)}|{re.escape(gap.rstrip())}[ \t]*$)", doubles=False)


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Takes numbers off with the gap that the sample has."""
    return Stateless(_prefix(written(lines)).unwrap)


def unwrap(block: Block) -> Block:
    """One whole input without line numbers; the file's name that grep prints is the label."""
    return unwrapper(block.data.decode(errors="replace").split("\n")).feed(block)
