"""A file that grows → its new whole lines: rotated, truncated, deleted and created again; and pipes.

A file is followed by its open descriptor, so that what is written to it after it was renamed is still read; the path is
looked at for the file that takes its place.
"""

from __future__ import annotations

import logging
import os
import select
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass

logger = logging.getLogger(__name__)

START = b"server_args="  # what every release prints when a server starts
_READ_BYTES = 1 << 20
_POLL_BYTES = 64 << 20  # of one file before the others get their turn
_LONGEST_BYTES = 1 << 20  # of a line; what is longer keeps its beginning
_SEEN_BYTES = 256  # before the place of reading: they tell whether the file is still the same
_HEAD_BYTES = 1024  # they tell whether a file is the copy of another

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """New whole lines of one input; `fresh` ones begin another file (rotated) or the same anew (truncated)."""

    tail: Tail
    data: bytes
    fresh: bool = False


class Tail:
    """One path, read from where the last look ended.

    `partial` is the beginning of a line whose end is not written yet; `first_line` the number of the first line that
    will be read, where the beginning of a file was skipped; `ended` says that nothing can come any more.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.partial = b""
        self.first_line = 1
        self.ended = False
        self.heads: list[bytes] = []
        self.identity: Identity | None = None
        self.gone_since: float | None = None
        self._fd = -1
        self._offset = 0
        self._seen = b""
        self._cut = False  # the unfinished line is longer than what is kept of it
        self._fresh = False

    def poll(self) -> Iterator[Piece]:
        """What was written since the last look."""
        if self._fd < 0 and not self._open():
            return
        before = self._offset
        yield from self._read()
        if self._moved() and self._offset == before:
            # Nothing came to the old file since the last look: its writer has gone over to the new one.
            yield from self.finish()
            if self._open():
                self._begin()
                yield from self._read()

    def finish(self) -> Iterator[Piece]:
        """The unfinished line, as a line."""
        if self.partial:
            data, self.partial, self._cut = self.partial + b"\n", b"", False
            yield self._piece(data)

    def skip(self, most_bytes: int) -> None:
        """Begin where the last launch starts if the file is larger than `most_bytes`, else so far from its end."""
        if self._open() and os.fstat(self._fd).st_size > most_bytes:
            self._offset, self.first_line = _last_start(self._fd, os.fstat(self._fd).st_size - most_bytes)
            self._seen = os.pread(self._fd, _SEEN_BYTES, max(self._offset - _SEEN_BYTES, 0))[: self._offset]

    def close(self) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _open(self) -> bool:
        try:
            opened = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            self._lost(error)
            return False
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            os.close(opened)
            return False
        self.close()
        self._fd, self.identity, self.gone_since = opened, (found.st_dev, found.st_ino), None
        return True

    def _lost(self, error: OSError) -> None:
        if self.gone_since is None:
            self.gone_since = time.monotonic()
            logger.info("%s: %s; waiting for it", self.path, error.strerror)

    def _moved(self) -> bool:
        """Whether another file stands at the path now."""
        try:
            found = os.stat(self.path)  # noqa: PTH116  a Path a look would be one too many
        except OSError as error:
            self._lost(error)
            return False
        self.gone_since = None
        return (found.st_dev, found.st_ino) != self.identity

    def _begin(self) -> None:
        self._offset, self._seen, self._fresh, self._cut = 0, b"", True, False

    def _read(self) -> Iterator[Piece]:
        if os.fstat(self._fd).st_size < self._offset or not self._same():
            yield from self.finish()
            self._begin()
        most = self._offset + _POLL_BYTES
        while self._offset < most and (data := self._next()):
            whole = self._whole(data)
            if whole:
                yield self._piece(whole)

    def _next(self) -> bytes:
        try:
            data = os.pread(self._fd, _READ_BYTES, self._offset)
        except OSError as error:
            logger.warning("%s: cannot be read: %s", self.path, error.strerror)
            return b""
        self._seen = (self._seen + data)[-_SEEN_BYTES:]
        if self._offset < _HEAD_BYTES:
            self._remember_head(os.pread(self._fd, _HEAD_BYTES, 0), anew=not self._offset)
        self._offset += len(data)
        return data

    def _remember_head(self, head: bytes, *, anew: bool) -> None:
        self.heads = [*self.heads, head][-8:] if anew or not self.heads else [*self.heads[:-1], head]

    def _same(self) -> bool:
        """Whether what was read last still stands before the place of reading; a file cut and grown again differs."""
        start = self._offset - len(self._seen)
        return os.pread(self._fd, len(self._seen), start) == self._seen

    def _whole(self, data: bytes) -> bytes:
        """The lines that are complete now, without the NULs of a cut file whose writer goes on at its old place."""
        if self._fresh and not self.partial:
            data = data.lstrip(b"\0")
        end = data.rfind(b"\n") + 1
        if not end:
            self._cut = self._cut or len(self.partial) + len(data) > _LONGEST_BYTES
            self.partial = (self.partial + data)[:_LONGEST_BYTES]
            return b""
        first = data.find(b"\n") if self._cut else 0
        whole = self.partial + data[first:end]
        self.partial, self._cut = data[end:], False
        return whole

    def _piece(self, data: bytes) -> Piece:
        fresh, self._fresh = self._fresh, False
        return Piece(self, data, fresh)


class Pipe(Tail):
    """Standard input or a named pipe: read as it comes, once."""

    def __init__(self, path: str, descriptor: int) -> None:
        super().__init__(path)
        self._fd = descriptor
        self._ends = path == "-"  # a named pipe waits for its next writer

    def poll(self) -> Iterator[Piece]:
        """What has come since the last look; never waits."""
        taken = 0
        while taken < _POLL_BYTES and select.select([self._fd], [], [], 0)[0]:
            data = os.read(self._fd, _READ_BYTES)
            taken += len(data)
            if not data:
                self.ended = self._ends
                if self.ended:
                    yield from self.finish()
                return
            if whole := self._whole(data):
                yield self._piece(whole)

    def close(self) -> None:
        """Let go of a named pipe; standard input is not ours to close."""
        if self.path != "-":
            super().close()

    def skip(self, most_bytes: int) -> None:
        """Nothing: what comes through a pipe has no end to begin at."""


def _last_start(descriptor: int, earliest: int) -> tuple[int, int]:
    """Offset and number of the line where the last launch starts, or of the first one behind `earliest`."""
    offset, lines = 0, 1
    late: tuple[int, int] | None = None
    start: tuple[int, int] | None = None
    carried = b""
    while data := os.pread(descriptor, _READ_BYTES, offset + len(carried)):
        whole, end = carried + data, (carried + data).rfind(b"\n") + 1
        place = whole.rfind(START, 0, end)
        if place >= 0:
            begin = whole.rfind(b"\n", 0, place) + 1
            start = offset + begin, lines + whole.count(b"\n", 0, begin)
        if late is None and offset + end > earliest:
            begin = whole.rfind(b"\n", 0, max(earliest - offset, 0)) + 1
            late = offset + begin, lines + whole.count(b"\n", 0, begin)
        offset, lines, carried = offset + end, lines + whole.count(b"\n"), whole[end:]
    return start or late or (0, 1)
