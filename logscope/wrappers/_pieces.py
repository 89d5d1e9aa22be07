"""Pieces of long lines joined, stream by stream, across blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from logscope.source import Block
from logscope.wrappers import Unwrapper
from logscope.wrappers._lines import NO_TIME, Lines, lines_of, no_lines


class Piece(NamedTuple):
    """What one physical line holds: the stream it belongs to, its text, clock and label, whether more of it follows."""

    stream: str
    text: bytes
    time_ms: int = NO_TIME
    more: bool = False
    label: str = ""


TakenApart = Callable[[bytes], Piece | None]  # None where the wrapper does not fit

_LONGEST = 64 << 20


@dataclass(slots=True)
class _Open:
    lines: Lines
    texts: list[bytes]
    size: int = 0


class Pieces:
    """Takes a wrapper off that cuts long lines, and joins their pieces."""

    def __init__(self, taken_apart: TakenApart) -> None:
        self._taken_apart = taken_apart
        self._open: dict[str, _Open] = {}
        self._path = ""

    def feed(self, block: Block) -> Block:
        """The lines that are complete after this block; a line that the wrapper does not fit passes unchanged."""
        self._path = block.path
        given = lines_of(block)
        out: Lines | None = None  # the lines are edited where they stand until one is held back or becomes several
        for place, text in enumerate(given.texts):
            piece = self._taken_apart(text)
            if piece is not None:
                given.time(place, piece.time_ms)
                if piece.label:
                    given.label(place, piece.label)
            if out is None and (piece is None or not (self._open or piece.more or b"\n" in piece.text)):
                given.texts[place] = text if piece is None else piece.text
                continue
            out = given.head(place) if out is None else out
            if piece is None:
                out.add(given, place, text)
            else:
                self._take(piece, given, place, out)
        if out is None:
            return given.block()
        out.ended = given.ended
        return out.block()

    def _take(self, piece: Piece, given: Lines, place: int, out: Lines) -> None:
        held = self._open.get(piece.stream)
        if held is None and not piece.more:
            out.add(given, place, piece.text)
            return
        if held is None:
            head = no_lines(self._path)
            head.add(given, place, b"")
            held = self._open[piece.stream] = _Open(head, [])
        held.texts.append(piece.text)
        held.size += len(piece.text)
        if not piece.more or held.size > _LONGEST:
            out.add(held.lines, 0, b"".join(held.texts))
            del self._open[piece.stream]

    def finish(self) -> Block | None:
        """The lines whose last piece never came."""
        out = no_lines(self._path)
        for held in self._open.values():
            out.add(held.lines, 0, b"".join(held.texts))
        self._open.clear()
        return out.block() if out.texts else None


def whole(unwrapper: Unwrapper, block: Block) -> Block:
    """A block that is a whole input, through an unwrapper and to its end."""
    first = unwrapper.feed(block)
    last = unwrapper.finish()
    if last is None or not last.data:
        return first
    if not first.data:
        return last
    out = lines_of(first)
    rest = lines_of(last)
    for place, text in enumerate(rest.texts):
        out.add(rest, place, text)
    out.ended = rest.ended
    return out.block()
