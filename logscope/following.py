"""Paths → the new lines of all files they stand for, now and later: a directory is looked at for files that are new."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from logscope.compression import compression_of
from logscope.errors import LogNotFound, LogRefused, LogUnreadable, UsageError
from logscope.inputs import elsewhere, files_of, looks_like_log
from logscope.tail import Identity, Piece, Pipe, Tail

logger = logging.getLogger(__name__)

_LEAST_HEAD_BYTES = 64  # from which two files that begin alike count as one and its copy
_MOST_FILES = 500
_MOST_KNOWN = 4096
_GONE_S = 600.0


class Following:
    """All that the paths stand for, now and later.

    Raises LogNotFound, LogUnreadable or LogRefused for a path that cannot be followed, UsageError for stdin twice.
    """

    def __init__(self, paths: Sequence[str], *, skip_bytes: int | None = None, rescan_s: float = 1.0) -> None:
        if list(paths).count("-") > 1:
            raise UsageError("stdin (-) is named more than once; it can be read once")
        self.tails: list[Tail] = []
        self.directories = [path for path in paths if path != "-" and Path(path).is_dir()]
        self._known: dict[Identity, None] = {}
        self._rescan_s, self._scanned = rescan_s, time.monotonic()
        for path in paths:
            if path not in self.directories:
                self.tails.append(_tail(path))
        self._look_around()
        for tail in self.tails if skip_bytes is not None else ():
            tail.skip(skip_bytes or 0)

    def poll(self) -> Iterator[Piece]:
        """What is new in all files, file by file."""
        if self.directories and time.monotonic() - self._scanned >= self._rescan_s:
            self._look_around()
            self._scanned = time.monotonic()
        for tail in self.tails:
            yield from tail.poll()
            if tail.identity is not None:
                self._known[tail.identity] = None
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]

    @property
    def ended(self) -> bool:
        """Whether nothing can come any more: everything was a pipe, and all are closed."""
        return not self.directories and all(tail.ended for tail in self.tails)

    @property
    def flowing(self) -> bool:
        """Whether stdin is among the inputs and its writer has not closed it."""
        return any(tail.path == "-" and not tail.ended for tail in self.tails)

    def lost(self) -> list[Tail]:
        """Files of a directory that have been gone for long; they are followed no more."""
        now = time.monotonic()
        named = [tail for tail in self.tails if tail.gone_since is not None and now - tail.gone_since > _GONE_S]
        for tail in named:
            self.tails.remove(tail)
            tail.close()
        return named

    def _look_around(self) -> None:
        followed = {tail.path for tail in self.tails}
        for directory in self.directories:
            try:
                found = [path for path in files_of(directory, 100_000) if path not in followed]
            except (OSError, LogRefused) as error:
                logger.warning("%s: cannot be looked through: %s", directory, error)
                continue
            for path in found:
                with contextlib.suppress(OSError):
                    if self._is_new_log(path):
                        self.tails.append(Tail(path))

    def _is_new_log(self, path: str) -> bool:
        """Whether this file is a log that is not followed yet, under this name or the one it had before."""
        with Path(path).open("rb") as opened:
            found = os.fstat(opened.fileno())
            own = {tail.identity for tail in self.tails}
            if not found.st_size or (found.st_dev, found.st_ino) in self._known.keys() | own:
                return False
            head = opened.read(1 << 16)
        if compression_of(head) or not looks_like_log(path, head):
            return False
        # What `copytruncate` leaves is a new file with lines that were read already.
        if any(_alike(head, other) for tail in self.tails for other in tail.heads):
            return False
        if len(self.tails) >= _MOST_FILES:
            logger.warning("%s: not followed, %d files are already", path, _MOST_FILES)
            return False
        return True


def _alike(head: bytes, other: bytes) -> bool:
    size = min(len(head), len(other))
    return size >= _LEAST_HEAD_BYTES and head[:size] == other[:size]


def _tail(path: str) -> Tail:
    if path == "-":
        return Pipe(path, sys.stdin.fileno())
    try:
        mode = Path(path).stat().st_mode
        if stat.S_ISFIFO(mode):
            return Pipe(path, os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
        if not stat.S_ISREG(mode):
            raise LogRefused(f"{path}: is no file, directory or pipe, so there is nothing to follow")
        with Path(path).open("rb") as opened:
            if compression_of(opened.read(16)):
                raise LogRefused(f"{path}: is compressed, so it does not grow; use logscope analyze")
    except (FileNotFoundError, NotADirectoryError) as error:
        why = elsewhere(path) or "there is no such file; name its directory to wait for it"
        raise LogNotFound(f"{path}: {why}") from error
    except (OSError, ValueError) as error:
        raise LogUnreadable(f"{path}: cannot be read: {error}") from error
    return Tail(path)
