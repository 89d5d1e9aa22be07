r"""Output that was indented as a whole: notebooks, quoted blocks of a report, YAML literals.

Sample (four blanks are the indent):

        [2026-02-06 06:24:27] Load weight begin. → [2026-02-06 06:24:27] Load weight begin.
          File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper
from logscope.wrappers._inner import begins, holds_stamp, speaks, written
from logscope.wrappers._lines import lines_of

NAME = "notebook"

_INDENT = re.compile(r"(?: {2,}|\t+)")


_FRAME = re.compile(r'((?: {2,}|\t+))  File "[^"\n]+", line \d+')  # a frame has two blanks of its own


def _indent(sample: Sequence[str]) -> tuple[str, int]:
    """The longest indent of a line that SGLang never indents which nearly all lines share; how many lines prove it."""
    indents: Counter[str] = Counter()
    for line in sample:
        frame, found = _FRAME.match(line), _INDENT.match(line)
        if frame:
            indents[frame[1]] += 1
        elif found and _unindented(line[found.end() :]):
            indents[found.group()] += 1
    for indent in sorted(indents, key=len, reverse=True):
        if sum(1 for line in sample if line.startswith(indent)) >= 0.9 * len(sample):
            return indent, indents.total()
    return ("    " if _by_share(sample) else ""), 0


def _unindented(text: str) -> bool:
    return begins(text) or holds_stamp(text)


def detect(lines: Sequence[str]) -> Detection | None:
    """By an indent that nearly all lines have, those that SGLang never indents among them."""
    sample = written(lines)
    indent, proven = _indent(sample)
    if not proven:
        return _by_share(sample)
    fitting = sum(1 for line in sample if line.startswith(indent))
    why = f"{fitting} of {len(sample)} lines are indented by {len(indent)}; {proven} of them are never printed so"
    return Detection("certain" if fitting == len(sample) and proven > 1 else "likely", why)


def _by_share(sample: Sequence[str]) -> Detection | None:
    """Where no line proves it: an indent of four that every line has, as no log of a server has it."""
    if (
        len(sample) < 2
        or not all(line.startswith("    ") for line in sample)
        or not any(speaks(line[4:]) for line in sample)
    ):
        return None
    return Detection("likely", f"all {len(sample)} lines are indented by four or more")


def _without(indent: bytes, block: Block) -> Block:
    lines = lines_of(block)
    lines.texts = [text.removeprefix(indent) for text in lines.texts]
    return lines.block()


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Takes the indent of the sample off."""
    return Stateless(partial(_without, _indent(written(lines))[0].encode()))


def unwrap(block: Block) -> Block:
    """One whole input without its indent."""
    return unwrapper(block.data.decode(errors="replace").split("\n")).feed(block)
