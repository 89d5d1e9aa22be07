"""Physical lines masked in their order: the pieces of one line as the line that they were, each stream for itself.

A runtime cuts a long line into pieces, and lines of the other stream may stand between them. A piece alone does not
tell that it is in the middle of a prompt, so a line is held back until its last piece is there; what it shows is laid
into the same pieces again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from logscope.redact.lines import Masker
from logscope.redact.outer import Inner, Outer, mask_around
from logscope.redact.torn import ends_beginning, torn_lines

if TYPE_CHECKING:
    from logscope.redact.pseudonym import Redactor

_HELD_MAX = 64 << 20  # characters that wait for a last piece
_BEGINNING_MAX = 4 << 20  # characters in which the first line that begins a record is looked for


@dataclass(slots=True)
class _Line:
    inner: Inner
    end: str
    shown: str | None = None


@dataclass(slots=True)
class Streams:
    """Masks physical lines; `masked` counts what was replaced, by kind."""

    masked: Counter[str] = field(default_factory=Counter)
    _outer: Outer = field(default_factory=Outer)
    _maskers: dict[str, Masker] = field(default_factory=dict)
    _pieces: dict[str, list[_Line]] = field(default_factory=dict)  # of the line that is not complete, by stream
    _waiting: list[_Line] = field(default_factory=list)
    _size: int = 0
    _beginning: list[list[_Line]] | None = field(default_factory=list)  # lines before the first that begins a record

    def take(self, text: str) -> str:
        """Take whole physical lines; gives those that are complete, with their line ends."""
        for line in _whole_lines(text):
            self._take(line)
        return self._ready()

    def finish(self) -> str:
        """The lines whose last piece never came; what comes next is another log."""
        for pieces in self._pieces.values():
            self._complete(pieces)
        self._begin()
        ready = self._ready()
        self._pieces, self._maskers, self._outer, self._beginning = {}, {}, Outer(), []
        return ready

    def _take(self, text: str) -> None:
        bare = text.removesuffix("\n").removesuffix("\r")
        line = _Line(self._outer.inner(bare), text[len(bare) :])
        self._waiting.append(line)
        self._size += len(bare)
        pieces = self._pieces.setdefault(line.inner.stream, [])
        pieces.append(line)
        if not line.inner.more or self._size > _HELD_MAX:
            self._complete(self._pieces.pop(line.inner.stream))

    def _complete(self, pieces: list[_Line]) -> None:
        if self._beginning is None:
            self._mask(pieces)
            return
        self._beginning.append(pieces)
        if ends_beginning(_text(pieces)) or self._size > _BEGINNING_MAX:
            self._begin()

    def _begin(self) -> None:
        """Mask the lines up to the first that begins a record: they may be the end of a request that was cut."""
        beginning, self._beginning = self._beginning or [], None
        torn = torn_lines(map(_text, beginning))
        for place, pieces in enumerate(beginning):
            self._mask(pieces, torn=place < torn)

    def _mask(self, pieces: list[_Line], *, torn: bool = False) -> None:
        text = _text(pieces)
        masker = self._maskers.setdefault(pieces[0].inner.stream, Masker(self.masked))
        rest = masker.hidden(text) if torn else masker.line(text)
        for piece in pieces[:-1]:
            width = len(piece.inner.text)
            piece.shown, rest = piece.inner.around(rest[:width]), rest[width:]
        pieces[-1].shown = pieces[-1].inner.around(rest)

    def _ready(self) -> str:
        count = next((place for place, line in enumerate(self._waiting) if line.shown is None), len(self._waiting))
        ready, self._waiting = self._waiting[:count], self._waiting[count:]
        self._size = sum(len(line.inner.text) for line in self._waiting)
        return "".join(mask_around(line.shown or "") + line.end for line in ready)


def _text(pieces: list[_Line]) -> str:
    return "".join(piece.inner.text for piece in pieces)


def _whole_lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def mask_lines(texts: Iterable[str]) -> list[str]:
    """Consecutive lines masked together, for quotes of more than one line."""
    streams = Streams(_beginning=None)  # a quote begins in the middle of a log
    shown = [streams.take(text.replace("\n", " ") + "\n") for text in texts]
    return "".join([*shown, streams.finish()]).split("\n")[:-1]


def redacted(texts: Iterable[str], redactor: Redactor, streams: Streams) -> Iterator[str]:
    """Texts of whole lines, each line masked and with the names that the redactor has learned replaced; ends stay."""
    for text in texts:
        yield redactor.replace(streams.take(text))
    yield redactor.replace(streams.finish())
