r"""`tail -f` and `head` of several files: a header with the file's name before the lines of each.

Header and the empty line before it become empty lines; the file's name is the label of what follows.

Sample:

    ==> node0.log <== →
    [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
     →
    ==> logs/node1.log <== →
    [2026-01-12 02:47:08 TP8] Load weight begin. → [2026-01-12 02:47:08 TP8] Load weight begin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Unwrapper
from logscope.wrappers._lines import lines_of

NAME = "tail_headers"
WHOLE = True  # headers stand alone only when nothing is around them

_HEADER = re.compile(rb"==> (\S.*) <==$")


def detect(lines: Sequence[str]) -> Detection | None:
    """By a header, which nothing else prints."""
    headers = [line for line in lines if _HEADER.match(line.encode(errors="replace"))]
    return Detection("certain", f"{len(headers)} headers of tail, the first is {headers[0]}") if headers else None


class _Labelled:
    def __init__(self) -> None:
        self._label = ""

    def feed(self, block: Block) -> Block:
        lines = lines_of(block)
        for place, text in enumerate(lines.texts):
            found = _HEADER.match(text)
            if found:
                self._label = found[1].decode(errors="replace")
                lines.texts[place] = b""
            if self._label:
                lines.label(place, self._label)
        return lines.block()

    def finish(self) -> Block | None:
        return None


def unwrapper(_: Sequence[str] = ()) -> Unwrapper:
    """Remembers the last header across blocks."""
    return _Labelled()


def unwrap(block: Block) -> Block:
    """One whole input without headers."""
    return unwrapper().feed(block)
