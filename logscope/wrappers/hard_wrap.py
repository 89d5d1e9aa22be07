r"""Lines that a terminal cut at its width, also inside words: joined again.

Only where the evidence is strong: no line is longer than the width, several lines that begin as records have exactly that
width, and what follows them begins like nothing that SGLang prints.

Sample (the width is 60; a line of that width goes on in the next one):

    [2026-05-20 03:29:25] Prefill batch, #new-seq: 1, input thro → [2026-05-20 03:29:25] Prefill batch, #new-seq: 1, input throughput (token/s): 21767.68
    ughput (token/s): 21767.68
    [2026-05-20 03:29:26] Prefill batch, #new-seq: 1, input thro → [2026-05-20 03:29:26] Prefill batch, #new-seq: 1, input throughput (token/s): 21154.09
    ughput (token/s): 21154.09
    [2026-05-20 03:29:27] Prefill batch, #new-seq: 1, input thro → [2026-05-20 03:29:27] Prefill batch, #new-seq: 1, input throughput (token/s): 20485.54
    ughput (token/s): 20485.54
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper
from logscope.wrappers._inner import belongs, holds_stamp
from logscope.wrappers._lines import Lines, lines_of, no_lines

NAME = "hard_wrap"
WHOLE = True  # looks at the width of whole lines, so it comes before what takes a part of them off

_DIGIT = re.compile(r"\d")
_NARROWEST, _WIDEST = 40, 1000
_LONGEST = 1 << 20  # joined bytes


def _width(lines: Sequence[str]) -> int:
    return max((len(line.rstrip("\r")) for line in lines), default=0)


def _beginning(line: str) -> str:
    """The first characters of a line without their digits: the same for lines that one wrapper decorates."""
    return _DIGIT.sub("0", line[:6])


def _beginnings(lines: Sequence[str]) -> set[str]:
    """How lines begin in which SGLang's own prefix stands."""
    return {_beginning(line) for line in lines if holds_stamp(line)}


def _decorated(cut: Sequence[tuple[str, str]]) -> bool:
    """Whether the rests begin as the records do: then something outside the terminal was put before every line."""
    heads = Counter(_DIGIT.sub("0", line[:2]) for line, _ in cut if holds_stamp(line))
    rests = Counter(_DIGIT.sub("0", after[:2]) for _, after in cut)
    return any(rests[head] > 0.5 * len(cut) for head in heads)


def _goes_on(line: str, beginnings: set[str]) -> bool:
    """Whether a line can be the rest of the one before."""
    return bool(line.strip()) and not belongs(line) and _beginning(line) not in beginnings


def detect(lines: Sequence[str]) -> Detection | None:
    """By several records cut at the width of the longest line."""
    width = _width(lines)
    if not _NARROWEST <= width <= _WIDEST:
        return None
    beginnings = _beginnings(lines)
    full = [(line, after) for line, after in pairwise(lines) if len(line.rstrip("\r")) == width]
    cut = [(line, after) for line, after in full if _goes_on(after, beginnings)]
    if _decorated(cut):
        return None
    records = sum(1 for line, _ in cut if holds_stamp(line))
    indented = all(after.startswith("  ") for _, after in cut)
    if len(cut) < 3 or len(cut) < 0.8 * len(full) or indented or (records < 2 and not _torn(full, cut)):
        return None
    why = f"{len(cut)} lines are cut at the width of {width}; none is longer"
    return Detection("certain" if records > 5 else "likely", why)


def _torn(full: Sequence[tuple[str, str]], cut: Sequence[tuple[str, str]]) -> bool:
    """Whether many lines, all of them unlike, are cut inside words: a long dump, where records are rare."""
    inside = sum(1 for line, after in cut if line[-1:].isalnum() and after[:1].isalnum())
    most_alike = Counter(_beginning(after) for _, after in cut).most_common(1)[0][1]
    return len(cut) > max(5, 0.95 * len(full)) and inside > 0.25 * len(cut) and most_alike < 0.3 * len(cut)


class _Joiner:
    """Joins a line of the full width with what follows, unless that begins a record."""

    def __init__(self, width: int, beginnings: set[str]) -> None:
        self._width = width
        self._beginnings = beginnings
        self._held: Lines | None = None
        self._tail = b""  # the last piece of the held line

    def feed(self, block: Block) -> Block:
        given = lines_of(block)
        out = no_lines(block.path)
        for place, text in enumerate(given.texts):
            if self._held is not None and _goes_on(_decoded(text), self._beginnings):
                self._held.texts[0] += text
                self._tail = text
            else:
                self._release(out)
                self._held = no_lines(block.path)
                self._held.add(given, place, text)
                self._tail = text
            if len(_decoded(self._tail)) != self._width or len(self._held.texts[0]) > _LONGEST:
                self._release(out)
        out.ended = given.ended
        return out.block()

    def _release(self, out: Lines) -> None:
        if self._held is not None:
            out.add(self._held, 0, self._held.texts[0])
            self._held = None

    def finish(self) -> Block | None:
        out = no_lines("")
        if self._held is not None:
            out.path = self._held.path
        self._release(out)
        return out.block() if out.texts else None


def _decoded(text: bytes) -> str:
    return text.rstrip(b"\r").decode(errors="replace")


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Joins at the width of the sample."""
    return _Joiner(_width(lines), _beginnings(lines)) if detect(lines) else Stateless(lambda block: block)


def unwrap(block: Block) -> Block:
    """One whole input, its cut lines joined."""
    from logscope.wrappers._pieces import whole

    return whole(unwrapper(block.data.decode(errors="replace").split("\n")), block)
