r"""Lines that a terminal cut at its width, also inside words, or that a mail program wrapped between words: joined again.

Only where the evidence is strong: no line is longer than the width, several lines that begin as records have exactly that
width, and what follows them begins like nothing that SGLang prints. Two are enough where they are unlike records. Where a
copy lost the blank at which a line was cut, the line is one shorter, and gets it back. Wrapped between words is a line to
which the first word of the next would not have fitted.

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
_JSON = ' \t"{'  # what is cut there is no text
_LONGEST = 1 << 20  # joined bytes


def _width(lines: Sequence[str]) -> int:
    return max((len(line.rstrip("\r")) for line in lines), default=0)


def _beginning(line: str) -> str:
    """The first characters of a line without their digits: the same for lines that one wrapper decorates."""
    return _DIGIT.sub("0", line[:6])


def _beginnings(lines: Sequence[str]) -> set[str]:
    """How lines begin in which SGLang's own prefix stands."""
    return {_beginning(line) for line in lines if holds_stamp(line)}


def _record(line: str) -> bool:
    """Whether a line is text in which SGLang's own prefix stands: what is cut inside JSON is no text."""
    return line[:1] not in _JSON and holds_stamp(line)


def _decorated(cut: Sequence[tuple[str, str]]) -> bool:
    """Whether the rests begin as the records do: then something outside the terminal was put before every line."""
    heads = Counter(_DIGIT.sub("0", line[:2]) for line, _ in cut if holds_stamp(line))
    rests = Counter(_DIGIT.sub("0", after[:2]) for _, after in cut)
    return any(rests[head] > 0.5 * len(cut) for head in heads)


def _goes_on(line: str, beginnings: set[str]) -> bool:
    """Whether a line can be the rest of the one before."""
    return bool(line.strip()) and not belongs(line.lstrip("\r")) and _beginning(line) not in beginnings


def detect(lines: Sequence[str]) -> Detection | None:
    """By several records cut at the width of the longest line."""
    beginnings = _beginnings(lines)
    if _between_words(lines, beginnings):
        return Detection("likely", f"records go on in the next line where a word exceeds the width of {_room(lines)}")
    width = _width(lines)
    if not _NARROWEST <= width <= _WIDEST:
        return None
    shortest = width - _trimmed(lines, width, beginnings)
    full = [(line, after) for line, after in pairwise(lines) if len(line.rstrip("\r")) >= shortest]
    cut = [(line, after) for line, after in full if _goes_on(after, beginnings)]
    if _decorated(cut):
        return None
    records = [line for line, _ in cut if holds_stamp(line)]
    indented = all(after.startswith("  ") for _, after in cut)
    few = len(cut) < 3 and not (len(records) == len(full) and _unlike(cut, 2))
    if few or len(cut) < 0.8 * len(full) or indented or (len(records) < 2 and not _torn(full, cut)):
        return None
    why = f"{len(cut)} lines are cut at the width of {width}; none is longer"
    return Detection("certain" if len(records) > 5 else "likely", why)


def _exceeds(line: str, after: str, width: int) -> bool:
    """Whether the first word of the next line would not have fitted to this one."""
    return len(line.rstrip()) + 1 + len(after.split(maxsplit=1)[0]) > width


def _room(lines: Sequence[str]) -> int:
    """The width between words: a word that is wider stands alone on its line."""
    return max((len(line.rstrip()) for line in lines if len(line.split(maxsplit=2)) > 1), default=0)


def _between_words(lines: Sequence[str], beginnings: set[str]) -> bool:
    """Whether records go on in the next line only for want of room, and not all at one column."""
    width = _room(lines)
    pairs = [(line.rstrip(), after) for line, after in pairwise(lines) if _record(line)]
    pairs = [(line, after) for line, after in pairs if _goes_on(after, beginnings)]
    wrapped = [line for line, after in pairs if not after.startswith("  ") and _exceeds(line, after, width)]
    shorter = {len(line) for line in wrapped if len(line) < width - 1}
    known = _NARROWEST <= width <= _WIDEST and len(shorter) > 1
    return known and len(wrapped) > 3 and len(wrapped) >= 0.9 * len(pairs)


def _unlike(cut: Sequence[tuple[str, str]], count: int) -> bool:
    """Whether so many records and their rests differ by more than digits: one message has the same width each time."""
    kinds = {_DIGIT.sub("0", line) for line, _ in cut if _record(line)}
    rests = {_DIGIT.sub("0", after) for _, after in cut if after[:2].strip().isalnum()}
    return min(len(kinds), len(rests)) >= count


def _trimmed(lines: Sequence[str], width: int, beginnings: set[str]) -> bool:
    """Whether lines lost the blank at which they were cut: records one shorter than the width that plainly go on."""
    short = [pair for pair in pairwise(lines) if len(pair[0].rstrip("\r")) == width - 1 and _record(pair[0])]
    going_on = [pair for pair in short if _goes_on(pair[1], beginnings) and not pair[1][:1].isspace()]
    return _unlike(going_on, 2) and len(going_on) >= 0.8 * len(short)


def _torn(full: Sequence[tuple[str, str]], cut: Sequence[tuple[str, str]]) -> bool:
    """Whether many lines, all of them unlike, are cut inside words: a long dump, where records are rare."""
    inside = sum(1 for line, after in cut if line[-1:].isalnum() and after[:1].isalnum())
    most_alike = Counter(_beginning(after) for _, after in cut).most_common(1)[0][1]
    return len(cut) > max(5, 0.95 * len(full)) and inside > 0.25 * len(cut) and most_alike < 0.3 * len(cut)


class _Joiner:
    """Joins a line that lacked room with what follows, unless that begins a record."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._beginnings = _beginnings(lines)
        self._words = _between_words(lines, self._beginnings)
        self._width = _room(lines) if self._words else _width(lines)
        self._trimmed = _trimmed(lines, self._width, self._beginnings)
        self._held: Lines | None = None
        self._tail = ""  # the last piece of the held line

    def feed(self, block: Block) -> Block:
        given = lines_of(block)
        out = no_lines(block.path)
        for place, text in enumerate(given.texts):
            line = _decoded(text)
            if self._held is not None and self._joins(line):
                self._held.texts[0] += self._gap(line) + text
            else:
                self._release(out)
                self._held = no_lines(block.path)
                self._held.add(given, place, text)
            self._tail = line
            if not self._full() or len(self._held.texts[0]) > _LONGEST:
                self._release(out)
        out.ended = given.ended
        return out.block()

    def _full(self) -> bool:
        """Whether the last piece may go on, as far as its own length tells."""
        return self._words or self._width - self._trimmed <= len(self._tail) <= self._width

    def _joins(self, line: str) -> bool:
        if not _goes_on(line, self._beginnings):
            return False
        return not self._words or (_exceeds(self._tail, line, self._width) and not line.startswith("  "))

    def _gap(self, line: str) -> bytes:
        """The blank that was lost between two pieces, if it was; a word wider than the room was cut without one."""
        if not self._words:
            return b" " * (self._width - len(self._tail))
        word = self._tail.rsplit(maxsplit=1)[-1:]
        inside = not word or len(word[0]) + len(line.split(maxsplit=1)[0]) > self._width
        return b"" if inside or self._tail[-1:].isspace() or line[:1].isspace() else b" "

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
    return Stateless(lambda block: block) if detect(lines) is None else _Joiner(lines)


def unwrap(block: Block) -> Block:
    """One whole input, its cut lines joined."""
    from logscope.wrappers._pieces import whole

    return whole(unwrapper(block.data.decode(errors="replace").split("\n")), block)
