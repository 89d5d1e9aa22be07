"""A store in object storage: a working copy on the local disk, every change of which is carried over as one.

Objects are put whole but one by one. So a change is announced (`_journal/push.json`), its new parts are put, `runs`
last, then the old ones are deleted and the announcement with them. Whoever opens the store next finishes a push whose
parts are all there, and takes back any other. One process may write at a time; object storage has no lock, so that this
is left to whoever starts the scans.
"""

from __future__ import annotations

import contextlib
import json
import logging
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from logscope.archive.remote import is_remote, system_of
from logscope.archive.selection import STORE_MARK
from logscope.errors import OutputError

_PUSH = "_journal/push.json"
_TRIES = 6
_Answer = TypeVar("_Answer")
log = logging.getLogger(__name__)


@contextlib.contextmanager
def working_copy(address: str) -> Iterator[tuple[Path, Callable[[], None]]]:
    """The store of an address as a local directory, and what carries its changes over; a local one is itself.

    Raises OutputError when the storage cannot be reached or written.
    """
    if not is_remote(address):
        yield Path(address), lambda: None
        return
    with tempfile.TemporaryDirectory(prefix="logscope-store-") as folder:
        mirror = _Mirror(address, Path(folder))
        mirror.mend()
        mirror.pull()
        try:
            yield Path(folder), mirror.push
        finally:
            mirror.push()


@contextlib.contextmanager
def local_copy(address: str) -> Iterator[str]:
    """A store to read from, as a local directory; whatever is local already is itself."""
    if not is_remote(address):
        yield address
        return
    with tempfile.TemporaryDirectory(prefix="logscope-store-") as folder:
        _Mirror(address, Path(folder)).pull()
        yield folder


class _Mirror:
    def __init__(self, address: str, local: Path) -> None:
        self._address, self._local = address, local
        self._system, self._root = system_of(address)
        self._there: dict[str, tuple[int, int]] = {}  # place → size and time of the local file as it was carried over

    def mend(self) -> None:
        """Finish or take back what a crashed writer left; only who is going to write may do this."""
        places = self._places()
        if _PUSH in places:
            gone = self._outdated(places)
            log.warning("%s: mended after a crash: %d files removed", self._address, len(gone))
            for place in [*sorted(gone), _PUSH]:
                self._delete(place)

    def pull(self) -> None:
        """Bring the store here, without the half of a change that does not count."""
        places = self._places()
        for place in sorted(places - self._outdated(places)):
            if _kept(place):
                target = self._local / place
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(self._again(lambda place=place: self._system.cat_file(self._at(place))))  # type: ignore[misc]
                self._there[place] = _state(target)

    def _outdated(self, places: set[str]) -> set[str]:
        """What a change that is announced makes void: the old parts when all new ones are there, else the new ones."""
        if _PUSH not in places:
            return set()
        change = json.loads(self._again(lambda: self._system.cat_file(self._at(_PUSH))))
        whole = set(change["added"]) <= places
        return places & set(change["removed"] if whole else change["added"])

    def push(self) -> None:
        """Carry over what has changed here since the last time."""
        now = {path.relative_to(self._local).as_posix(): path for path in self._local.rglob("*") if path.is_file()}
        now = {place: path for place, path in now.items() if _kept(place)}
        added = [place for place, path in now.items() if self._there.get(place) != _state(path)]
        removed = [place for place in self._there if place not in now]
        if not added and not removed:
            return
        added.sort(key=lambda place: (place.startswith("runs/"), place))
        fresh = [place for place in added if place not in self._there]
        announced = json.dumps({"added": fresh, "removed": removed}).encode()
        self._put(_PUSH, announced)
        for place in added:
            self._put(place, now[place].read_bytes())
        for place in [*removed, _PUSH]:
            self._delete(place)
        self._there = {place: _state(path) for place, path in now.items()}

    def _places(self) -> set[str]:
        def listed() -> set[str]:
            self._system.invalidate_cache()
            try:
                found = self._system.find(self._root)
            except FileNotFoundError:
                return set()
            return {path.removeprefix(self._root).lstrip("/") for path in found}

        return self._again(listed)

    def _put(self, place: str, data: bytes) -> None:
        self._again(lambda: self._system.pipe_file(self._at(place), data))

    def _delete(self, place: str) -> None:
        def gone() -> None:
            with contextlib.suppress(FileNotFoundError):
                self._system.rm_file(self._at(place))

        self._again(gone)

    def _at(self, place: str) -> str:
        return f"{self._root.rstrip('/')}/{place}"

    def _again(self, act: Callable[[], _Answer]) -> _Answer:
        """The answer of the storage, asked again with growing pauses while it errs."""
        for number in range(_TRIES):
            try:
                return act()
            except Exception as error:  # each protocol has errors of its own
                if number == _TRIES - 1:
                    raise OutputError(f"{self._address}: cannot be reached or written: {error}") from error
                time.sleep(0.2 * 2**number)
        raise AssertionError


def _kept(place: str) -> bool:
    """Whether a file belongs to the store, and not to the process that writes it."""
    return not place.startswith(("_journal", "_staging", "_lock", ".")) and (place == STORE_MARK or "/." not in place)


def _state(path: Path) -> tuple[int, int]:
    about: Any = path.stat()
    return about.st_size, about.st_mtime_ns
