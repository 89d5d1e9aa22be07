"""What a path stands for: a file to open, a pipe to spool, the files of a directory; devices are refused.

Nothing is written beside an input: what cannot be read twice goes to an unnamed temporary file.
"""

from __future__ import annotations

import io
import logging
import os
import re
import shutil
import stat
import tempfile
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from logscope.errors import LogNotFound, LogRefused, LogUnreadable
from logscope.raw import ReadOnly

log = logging.getLogger(__name__)

Opener = Callable[[], io.RawIOBase]
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://")
_PATIENCE_S = 1.0


def opener(path: str) -> Opener:
    """A function that opens the stored bytes of a regular file anew; a named pipe is spooled now.

    Raises LogNotFound, LogUnreadable, or LogRefused for a device or socket.
    """
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise LogNotFound(f"{path}: {elsewhere(path) or 'there is no such file'}") from error
    except (OSError, ValueError) as error:
        raise LogUnreadable(f"{path}: cannot be read: {error}") from error
    if stat.S_ISFIFO(mode):
        with _written(path) as pipe:
            return spooled(pipe)
    if not stat.S_ISREG(mode):
        raise LogRefused(f"{path}: is a {_kind(mode)}, expected a log file")
    _opened(path).close()
    return lambda: _opened(path)


def elsewhere(path: str) -> str:
    """What to do about an address, which is no path; "" for a path."""
    if not ADDRESS.match(path):
        return ""
    return "is an address, which `logscope scan` reads; or let another program fetch it: … | logscope analyze -"


def _written(path: str) -> io.FileIO:
    """A named pipe, opened; this takes until somebody writes to it, and after a second is said to."""
    waiting = threading.Timer(_PATIENCE_S, log.warning, ("%s: a named pipe that nobody writes to; waiting", path))
    waiting.daemon = True
    waiting.start()
    try:
        return _opened(path)
    finally:
        waiting.cancel()


def _opened(path: str) -> io.FileIO:
    try:
        return io.FileIO(path)
    except FileNotFoundError as error:
        raise LogNotFound(f"{path}: there is no such file any more") from error
    except OSError as error:
        raise LogUnreadable(f"{path}: cannot be read: {error.strerror or error}") from error


def _kind(mode: int) -> str:
    kinds = {stat.S_IFCHR: "character device", stat.S_IFBLK: "block device", stat.S_IFSOCK: "socket"}
    return kinds.get(stat.S_IFMT(mode), "special file")


def spooled(stream: BinaryIO | io.FileIO) -> Opener:
    """The rest of a stream, copied to an unnamed temporary file, and a function that opens it anew."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115 — lives as long as the opener
    shutil.copyfileobj(stream, spool, 1 << 20)
    spool.flush()

    def anew() -> io.RawIOBase:
        return _Spool(spool)

    weakref.finalize(anew, spool.close)
    return anew


class _Spool(ReadOnly):
    """Reads a shared temporary file at a position of its own."""

    def __init__(self, spool: BinaryIO) -> None:
        self._spool = spool
        self._at = 0

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        data = os.pread(self._spool.fileno(), size if size >= 0 else 1 << 62, self._at)
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("a spool is positioned from its beginning only")
        self._at = offset
        return offset


def files_of(directory: str, most: int) -> list[str]:
    """The regular files below a directory in natural order, without hidden ones and links that leave it.

    Raises LogRefused above `most` files.
    """
    root = Path(directory).resolve()
    found: list[str] = []
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = [Path(folder) / name for name in names if not name.startswith(".")]
        found.extend(str(path) for path in paths if path.is_file() and path.resolve().is_relative_to(root))
        if len(found) > most:
            raise LogRefused(f"{directory}: holds more than {most} files; name the log files, or use scan")
    return sorted(found, key=natural)


def natural(path: str) -> list[tuple[int, str]]:
    """A sort key by which node2 stands before node10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path)]


_LOG_NAME = re.compile(
    r"(?:^|[._-])(?:log|logs|out|err|stdout|stderr|output|console)(?:[._-]|$)|\.(?:txt|jsonl)(?:\.|$)", re.IGNORECASE
)
_OTHER_NAME = re.compile(
    r"\.(?:toml|ya?ml|ini|cfg|conf|md|rst|html?|css|js|ts|py|ipynb|sh|csv|tsv|xml|sql|lock)(?:\.\w+)?$", re.IGNORECASE
)
_LOG_TEXT = re.compile(
    rb"^[^\n]{0,200}?\d\d:\d\d:\d\d|sglang|Traceback \(most recent call last\)|#running-req|max_total_num_tokens",
    re.MULTILINE,
)


_METRICS = re.compile(rb"\s*# (?:HELP|TYPE) \w")  # what a Prometheus endpoint answers
_DOCUMENT = re.compile(rb'\s*\{\s*\n\s*"[^"\n]*":')  # one JSON object over several lines


def looks_like_log(path: str, head: bytes) -> bool:
    """Whether a file that was found in a directory is a log: by its name, else by what its first 64 KiB hold."""
    name = Path(path).name
    speaks = _LOG_TEXT.search(head) is not None
    if _OTHER_NAME.search(name) or _METRICS.match(head) or (_DOCUMENT.match(head) and not speaks):
        return False
    return bool(_LOG_NAME.search(name) or (speaks and not name.endswith(".json")) or _json_lines(head))


def _json_lines(head: bytes) -> bool:
    lines = head.split(b"\n", 3)
    return len(lines) > 2 and all(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in lines[:2])
