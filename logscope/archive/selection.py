"""What a scan looks at: files, directories and patterns → paths with size and modification time, in a stable order.

What cannot be taken is not dropped in silence: it comes out as a refusal with its reason.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path

from logscope.inputs import natural

STORE_MARK = "logscope-store.json"
_PATTERN = re.compile(r"[*?\[]")
_DEEPEST = 100  # directories inside each other


@dataclass(frozen=True, slots=True)
class Found:
    """One file. `named`: somebody asked for it by name, so it is read whatever it looks like; `size` is in bytes."""

    path: str
    size: int
    mtime_ns: int
    named: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """One input that is not read; `kind` names the reason in one word, `why` in a sentence."""

    path: str
    kind: str
    why: str


class Filter:
    """Which paths are wanted: patterns are tried on the whole path and on the last part of it."""

    def __init__(self, include: Iterable[str] = (), exclude: Iterable[str] = ()) -> None:
        self._include = _any_of(include)
        self._exclude = _any_of(exclude)

    def takes(self, path: str) -> bool:
        """Whether a log of this path is wanted."""
        return (self._include is None or _matches(self._include, path)) and not self.drops(path)

    def drops(self, path: str) -> bool:
        """Whether this path is excluded by name: such a directory or bundle is not even opened."""
        return self._exclude is not None and _matches(self._exclude, path)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    parts = [translate(pattern) for pattern in patterns]
    return re.compile("|".join(f"(?:{part})" for part in parts)) if parts else None


def _matches(wanted: re.Pattern[str], path: str) -> bool:
    return bool(wanted.match(path) or wanted.match(path.rpartition("/")[2]))


def select(names: Iterable[str], wanted: Filter) -> Iterator[Found | Refused]:
    """All files behind the names, each once, in the order of the names and inside a directory in natural order."""
    seen: set[str] = set()
    for name in names:
        for one in _behind(name, wanted):
            if one.path not in seen:
                seen.add(one.path)
                yield one


def _behind(name: str, wanted: Filter) -> Iterator[Found | Refused]:
    """A name that exists is that file, whatever signs it holds; only then is it a pattern."""
    if "://" in name and not os.path.lexists(name):
        from logscope.archive import remote

        yield from remote.select(name, wanted)
        return
    if os.path.lexists(name) or not _PATTERN.search(name):
        yield from _named(name, wanted)
        return
    found = sorted(glob.iglob(name, recursive=True), key=natural)  # noqa: PTH207  the paths as the pattern spells them
    if not found:
        yield Refused(name, "not_found", f"{name}: no file matches this pattern")
    for path in found:
        if "**" in name and Path(path).is_dir():
            continue  # its files match as well
        yield from _named(path, wanted)


def _named(path: str, wanted: Filter) -> Iterator[Found | Refused]:
    try:
        about = os.stat(path)  # noqa: PTH116  a path with a NUL must fail here
    except (FileNotFoundError, NotADirectoryError):
        yield Refused(path, "not_found", f"{path}: there is no such file")
    except (OSError, ValueError) as error:
        yield Refused(path, "unreadable", f"{path}: cannot be read: {error}")
    else:
        if stat.S_ISDIR(about.st_mode):
            yield from _below(path, wanted, os.path.realpath(path))
        elif not stat.S_ISREG(about.st_mode):
            yield Refused(path, "device", f"{path}: is a {kind_of(about.st_mode)}, not a file")
        elif not wanted.drops(path):
            yield Found(path, about.st_size, about.st_mtime_ns, named=True)


def _below(directory: str, wanted: Filter, root: str, depth: int = 0) -> Iterator[Found | Refused]:
    if depth > _DEEPEST:
        yield Refused(
            directory, "nesting", f"{directory}: lies deeper than {_DEEPEST} directories below what was named"
        )
        return
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: natural(entry.name))
    except OSError as error:
        yield Refused(directory, "unreadable", f"{directory}: cannot be listed: {error.strerror}")
        return
    if any(entry.name == STORE_MARK for entry in entries):
        return  # a store of an earlier scan
    for entry in entries:
        if not entry.name.startswith(".") and not wanted.drops(entry.path):
            yield from _entry(entry, wanted, root, depth)


def _entry(entry: os.DirEntry[str], wanted: Filter, root: str, depth: int) -> Iterator[Found | Refused]:
    try:
        if entry.is_symlink():
            target = os.path.realpath(entry.path)
            if not target.startswith(root + os.sep):
                yield Refused(entry.path, "symlink_out", f"{entry.path}: is a link out of the tree, to {target}")
                return
            if entry.is_dir():
                return  # its files are found where they are
        if entry.is_dir():
            yield from _below(entry.path, wanted, root, depth + 1)
            return
        about = entry.stat()
    except OSError as error:
        yield Refused(entry.path, "unreadable", f"{entry.path}: cannot be read: {error.strerror}")
        return
    if stat.S_ISREG(about.st_mode):
        yield Found(entry.path, about.st_size, about.st_mtime_ns, named=False)
    else:
        yield Refused(entry.path, "device", f"{entry.path}: is a {kind_of(about.st_mode)}, not a file")


def kind_of(mode: int) -> str:
    """What a special file is, in words."""
    kinds = {
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
        stat.S_IFSOCK: "socket",
        stat.S_IFIFO: "named pipe",
    }
    return kinds.get(stat.S_IFMT(mode), "special file")
