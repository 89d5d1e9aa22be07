"""Inputs on other machines: whatever fsspec can open, listed and read in place (`s3://`, `gs://`, `az://`, `https://`).

Each protocol is an extra (`logscope[s3]`). Addresses and keys come from where the protocol's own library looks for them
(for S3: `AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID` …); nothing of them is kept.
"""

from __future__ import annotations

import datetime
import functools
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

from logscope.archive.selection import Filter, Found, Refused
from logscope.errors import LogNotFound, LogUnreadable, UsageError
from logscope.inputs import ADDRESS, Opener, natural
from logscope.raw import ReadOnly

_PATTERN = re.compile(r"[*?\[]")
_EXTRA = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "az": "az", "abfs": "az", "http": "http", "https": "http"}


def is_remote(path: str) -> bool:
    """Whether a path names a protocol."""
    return bool(ADDRESS.match(path))


def select(name: str, wanted: Filter) -> Iterator[Found | Refused]:
    """The files behind a remote name: a file, all below a directory, or those that match a pattern."""
    system, place = system_of(name)
    try:
        if _PATTERN.search(place) and not name.startswith("http"):
            found = system.glob(place, detail=True)
        elif system.isdir(place):
            found = system.find(place, detail=True)
        else:
            found = {place: system.info(place)}
    except FileNotFoundError:
        found = {}
    except Exception as error:  # noqa: BLE001  each protocol has errors of its own
        yield Refused(name, "unreadable", f"{name}: cannot be listed: {error}")
        return
    files = {path: about for path, about in found.items() if about.get("type") != "directory"}
    if not files:
        yield Refused(name, "not_found", f"{name}: there is no such file")
    for path in sorted(files, key=natural):
        # Some protocols have several names, and the one that was given is kept.
        protocol, place_of = name.partition("://")[0], system.unstrip_protocol(path).partition("://")[2]
        whole = name if path == place else f"{protocol}://{place_of}"
        if not wanted.drops(whole) and not path.rpartition("/")[2].startswith("."):
            yield Found(whole, int(files[path].get("size") or 0), changed_ns(files[path]), named=path == place)


def changed_ns(about: Mapping[str, Any]) -> int:
    """When a remote file was changed last, in nanoseconds since 1970; 0 where the protocol does not tell."""
    for key in ("LastModified", "last_modified", "mtime", "updated"):
        value = about.get(key)
        if isinstance(value, str):
            value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        if isinstance(value, datetime.datetime):
            return round(value.timestamp() * 1e6) * 1000
        if isinstance(value, int | float):
            return round(value * 1e6) * 1000
    return 0


def opener(path: str) -> Opener:
    """A function that opens the stored bytes of a remote file anew; raises LogNotFound or LogUnreadable."""
    system, place = system_of(path)
    _Reading(system, place, path).close()
    return lambda: _Reading(system, place, path)


class _Reading(ReadOnly):
    """A remote file, read in blocks; an error of the protocol becomes one of logscope."""

    def __init__(self, system: Any, place: str, path: str) -> None:
        self._path = path
        try:
            self._in_parts = not path.startswith("http") or _in_parts(system, place)
            reading = {"block_size": 4 << 20, "cache_type": "readahead"} if self._in_parts else {"block_size": 0}
            self._file = system.open(place, "rb", **reading)
        except FileNotFoundError as error:
            raise LogNotFound(f"{path}: there is no such file") from error
        except Exception as error:
            raise LogUnreadable(f"{path}: cannot be opened: {error}") from error

    def seekable(self) -> bool:
        return self._in_parts and bool(self._file.seekable())

    def read(self, size: int = -1, /) -> bytes:
        try:
            data: bytes = self._file.read(size)
        except Exception as error:
            raise LogUnreadable(f"{self._path}: cannot be read: {error}") from error
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


@functools.lru_cache(maxsize=1024)
def _in_parts(system: Any, place: str) -> bool:
    """Whether a web server answers with a part of a file: one that does not is read from the beginning to the end."""
    with system.open(place, "rb", block_size=1, cache_type="none") as file:
        try:
            file.seek(1)
            file.read(1)
        except ValueError:
            return False
    return True


def system_of(name: str) -> tuple[Any, str]:
    """The file system behind a remote name, and the name's place in it.

    Raises UsageError without its package, and LogUnreadable where its server does not answer.
    """
    protocol = name.partition("://")[0]
    try:
        import fsspec

        system, place = fsspec.core.url_to_fs(name)
    except ImportError as missing:
        extra = _EXTRA.get(protocol, protocol)
        raise UsageError(f"{name}: reading {protocol}:// needs logscope[{extra}]: {missing}") from missing
    except ValueError as wrong:
        raise UsageError(f"{name}: {wrong}") from wrong
    except OSError as away:  # some protocols call their server at once
        raise LogUnreadable(f"{name}: cannot be reached: {away.strerror or away}") from away
    return system, place
