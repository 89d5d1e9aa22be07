"""Any input as blocks of whole lines, in bounded memory: a file, a compressed file, stdin, the files of a directory.

Line numbers are those of the original text after decompression; a line ends at "\\n" and nowhere else. `bytes` and
`sha256` are of the input as it is stored (what `ls -l` and `sha256sum` say). A UTF-16 text is read as UTF-8; a byte
order mark is dropped.
"""

from __future__ import annotations

import codecs
import io
import logging
import os
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logscope import compression, inputs
from logscope.compression import Limits
from logscope.encoding import HEAD_BYTES, encoding_of, head_of, storable, transcoded, without_mark
from logscope.errors import LogRefused, LogUnreadable, UsageError
from logscope.raw import Hashed

log = logging.getLogger(__name__)

_Note = Callable[[str], None]
__all__ = ["Block", "Limits", "Source", "sources"]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of one input.

    `first` is the number of the first line, from 1, in the original file. `data` holds the lines, each ended by "\\n";
    only the last block of an input may lack the final one. What `unwrapping` sets: `numbers`, the original number of
    each line (None: consecutive from `first`); `labels`, the process label that a wrapper printed ("" if none);
    `outer_times`, the wrapper's clock (datetime64[ms], NaT if none); `repeats`, for how many more lines each stands.
    """

    path: str
    first: int
    data: bytes
    numbers: NDArray[np.int64] | None = None
    labels: tuple[str, ...] | None = None
    outer_times: NDArray[np.datetime64] | None = None
    repeats: NDArray[np.int64] | None = None


class Source:
    """One input. `open_stored` gives a fresh stream of its stored bytes each time, so that lines can be read again.

    `path` can be printed and stored; `place` is the path as the system knows it, whose bytes may be no text.

    `notes` tells what was wrong on the way and did not stop the reading (a compressed stream that ends early, cut
    lines); `damage` is the one of them by which the rest of the input is lost. After `blocks` is exhausted, `bytes`,
    `expanded_bytes`, `lines` and `sha256` are set.
    """

    def __init__(self, path: str, open_stored: Callable[[], io.RawIOBase], limits: Limits | None = None) -> None:
        self.place, self.path = path, storable(path)
        self.limits = limits or Limits()
        self.notes: list[str] = []
        self.damage = ""
        self.bytes = 0
        self.expanded_bytes = 0
        self.lines = 0
        self.sha256 = ""
        self.cut_lines = 0
        self.nul_bytes = 0
        self._open_stored = open_stored
        head = self._stored_head()
        self.compression = compression.compression_of(head)
        self.head = self._expanded_head() if self.compression else head
        self.encoding = encoding_of(self.head, path)
        self._lines_before = array("q")
        self._offsets = array("q")

    def blocks(self, size: int = 1 << 20) -> Iterator[Block]:
        """The whole input as blocks of about `size` bytes; a longer line makes a longer block."""
        stored = Hashed(self._open_stored())
        self._lines_before, self._offsets = array("q"), array("q")
        self.notes, self.damage, self.cut_lines, self.nul_bytes, lines = [], "", 0, 0, 0
        with stored:
            for offset, end, data in self._whole_lines(self._pieces(stored, size, self._broke_off)):
                self._lines_before.append(lines)
                self._offsets.append(offset)
                if data:
                    yield Block(self.path, lines + 1, data)
                lines += line_count(data)
                self.expanded_bytes = end
        if self.cut_lines:
            self.notes.append(f"{self.cut_lines} lines are longer than {self.limits.line_bytes} bytes and were cut")
        if self.nul_bytes:
            self.notes.append(f"{self.nul_bytes} NUL bytes hold no text and were passed over")
        self.bytes, self.sha256, self.lines = stored.count, stored.hash.hexdigest(), lines

    def _broke_off(self, damage: str) -> None:
        self.damage = damage
        self.notes.append(damage)

    def lines_at(self, numbers: Iterable[int], *, longest_bytes: int | None = None) -> dict[int, bytes]:
        """The physical lines with these numbers, without their "\\n", each cut to `longest_bytes`.

        Numbers beyond the end are left out. After `blocks`, a plain file is read only around the lines; a compressed
        one again up to the last of them.
        """
        wanted = sorted({number for number in numbers if number > 0})
        found: dict[int, bytes] = {}
        cut_lines, nul_bytes = self.cut_lines, self.nul_bytes
        while wanted:
            lines, offset = self._start_before(wanted[0])
            stored = self._open_stored()
            with stored:
                if offset:
                    stored.seek(offset)
                last = self._end_of_run(wanted)
                for _, _, data in self._whole_lines(self._pieces(stored, 1 << 18, lambda _: None, start=offset)):
                    count = line_count(data)
                    inside = [number for number in wanted[:last] if lines < number <= lines + count]
                    found.update(_pick(data, lines, inside, longest_bytes))
                    lines += count
                    if lines >= wanted[last - 1]:
                        break
            wanted = wanted[last:]
        self.cut_lines, self.nul_bytes = cut_lines, nul_bytes
        return found

    def _seekable(self) -> bool:
        return not self.compression and self.encoding in ("utf-8", "utf-8-sig")

    def _start_before(self, number: int) -> tuple[int, int]:
        if not self._seekable() or not self._offsets:
            return 0, 0
        at = bisect_right(self._lines_before, number - 1) - 1
        return self._lines_before[at], self._offsets[at]

    def _end_of_run(self, wanted: Sequence[int]) -> int:
        """How many of the wanted numbers one forward reading should serve: those without a whole block between them."""
        if not self._seekable() or not self._offsets:
            return len(wanted)
        starts = [bisect_right(self._lines_before, number - 1) for number in wanted]
        return next((i for i in range(1, len(starts)) if starts[i] > starts[i - 1] + 1), len(wanted))

    def _stored_head(self) -> bytes:
        with self._open_stored() as stored:
            return head_of(_plain(stored, HEAD_BYTES, self.path))

    def _expanded_head(self) -> bytes:
        with self._open_stored() as stored:
            return head_of(self._expanded(stored, lambda _: None))

    def _expanded(self, stored: io.RawIOBase, note: _Note) -> Iterator[bytes]:
        with compression.buffered(stored) as stream:
            yield from compression.expand(stream, self.compression, path=self.path, limits=self.limits, note=note)
            while stream.read(1 << 20):  # what stands behind the last frame belongs to the hash
                pass

    def _pieces(self, stored: io.RawIOBase, size: int, note: _Note, *, start: int = 0) -> Iterator[bytes]:
        pieces = self._expanded(stored, note) if self.compression else _plain(stored, size, self.path)
        if self.encoding == "utf-8" or (start and self.encoding == "utf-8-sig"):
            return _gathered(pieces, size)
        if self.encoding == "utf-8-sig":
            return _gathered(without_mark(pieces), size)
        return _gathered(transcoded(pieces, self.encoding), size)

    def _whole_lines(self, pieces: Iterator[bytes]) -> Iterator[tuple[int, int, bytes]]:
        """Whole lines with the offsets of begin and end of each block in the expanded text; a line beyond the cap keeps
        its beginning.
        """
        cap = self.limits.line_bytes
        offset = len(codecs.BOM_UTF8) if self.encoding == "utf-8-sig" else 0
        held: list[bytes] = []
        stored = length = kept = 0  # of the unfinished line: bytes stored, bytes of text, bytes kept
        for piece in pieces:
            end = piece.rfind(b"\n") + 1
            whole, tail = self._text(piece[:end]), self._text(piece[end:])
            if end:
                first = whole.find(b"\n")
                if length + first > cap:
                    self.cut_lines += 1
                    whole = whole[first:] if kept >= cap else whole
                yield offset, offset + stored + end, b"".join((*held, whole)) if held else whole
                offset, held, stored, length, kept = offset + stored + end, [], 0, 0, 0
            stored += len(piece) - end
            length += len(tail)
            tail = tail[: max(cap - kept, 0)]
            kept += len(tail)
            if tail:
                held.append(tail)
        if stored:
            self.cut_lines += length > cap
            yield offset, offset + stored, b"".join(held)

    def _text(self, data: bytes) -> bytes:
        """Without the NULs of a file that was cut under its writer, or of a disk that lost power."""
        if b"\0" not in data:
            return data
        text = data.translate(None, b"\0")
        self.nul_bytes += len(data) - len(text)
        return text


def line_count(data: bytes) -> int:
    """The number of lines in a block, the last one with or without its newline."""
    newlines = int(np.count_nonzero(np.frombuffer(data, np.uint8) == 10))
    return newlines + (not data.endswith(b"\n") and bool(data))


def _read(stored: io.RawIOBase, size: int, path: str) -> bytes:
    try:
        return stored.read(size) or b""
    except OSError as error:
        raise LogUnreadable(f"{path}: cannot be read: {error.strerror or error}") from error


def _plain(stored: io.RawIOBase, size: int, path: str) -> Iterator[bytes]:
    while piece := _read(stored, size, path):
        yield piece


def _gathered(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """The same bytes in pieces of at least `size`."""
    held: list[bytes] = []
    length = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length >= size:
            yield held[0] if len(held) == 1 else b"".join(held)
            held, length = [], 0
    if held:
        yield b"".join(held)


def _pick(data: bytes, lines_before: int, numbers: Sequence[int], longest_bytes: int | None) -> dict[int, bytes]:
    if not numbers:
        return {}
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    found = {}
    for number in numbers:
        i = number - lines_before - 1
        start = int(ends[i - 1]) + 1 if i else 0
        end = int(ends[i]) if i < len(ends) else len(data)
        found[number] = data[start : end if longest_bytes is None else min(end, start + longest_bytes)]
    return found


def sources(paths: Sequence[str | os.PathLike[str]], limits: Limits | None = None) -> list[Source]:
    """The inputs behind the paths, in the order given; "-" is stdin, a directory gives its files that look like logs.

    Raises LogNotFound, LogUnreadable (no permission, a broken stream) or LogRefused (a device, a binary, a directory
    without a log).
    """
    limits = limits or Limits()
    names = [os.fspath(path) for path in paths]
    if names.count("-") > 1:
        raise UsageError("stdin (-) is named more than once; it can be read once")
    return [source for name in names for source in _sources_of(name, limits)]


def _sources_of(name: str, limits: Limits) -> list[Source]:
    if name == "-":
        return [Source(name, inputs.spooled(sys.stdin.buffer), limits)]
    if not Path(name).is_dir():
        return [Source(name, inputs.opener(name), limits)]
    found = []
    for path in inputs.files_of(name, limits.directory_files):
        try:
            source = Source(path, inputs.opener(path), limits)
        except (LogRefused, LogUnreadable) as error:
            log.info("passed over %s", error)
            continue
        if inputs.looks_like_log(path, source.head):
            found.append(source)
        else:
            log.info("passed over %s: it does not look like a log", path)
    if not found:
        raise LogRefused(f"{name}: a directory without a readable text log; name the log files")
    return found
