"""A change of several files as one: after a crash at any point the next opening finishes it or forgets it.

A change is written in full below `_staging`, then described by one file in `_journal`, whose appearance is the moment
of commitment. The files are then moved to their places and the old ones removed, which can be done again at will. What
lies in `_staging` without a journal was never committed and is swept away. Readers pass over names that begin with an
underscore, so that they see whole files only.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from logscope.errors import OutputError, UsageError

JOURNAL, STAGING, LOCK = "_journal", "_staging", "_lock"


@dataclass(frozen=True, slots=True)
class Change:
    """Files to add (the place of each below the store, in this order), and files to remove."""

    name: str
    added: Sequence[str]
    removed: Sequence[str] = ()


def staged(store: Path, change: str, place: str) -> Path:
    """Where a file of a change is written before it is committed."""
    path = store / STAGING / change / place
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def commit(store: Path, change: Change) -> None:
    """Make the change: once this returns it survives any crash; raises OutputError when the disk is full."""
    try:
        for place in change.added:
            _settle(store / STAGING / change.name / place)
        entry = store / JOURNAL / f"{change.name}.json"
        entry.parent.mkdir(exist_ok=True)
        draft = entry.with_name(f".{entry.name}")
        draft.write_text(json.dumps({"added": list(change.added), "removed": list(change.removed)}))
        _settle(draft)
        draft.replace(entry)
        _settle(entry.parent)
        _finish(store, entry)
    except OSError as error:
        raise OutputError(f"{store}: cannot be written: {error.strerror}; what was there stays") from error


def recover(store: Path) -> int:
    """Finish every committed change and forget the others; returns how many were finished."""
    entries = sorted((store / JOURNAL).glob("[!.]*.json"))
    for entry in entries:
        _finish(store, entry)
    shutil.rmtree(store / STAGING, ignore_errors=True)
    return len(entries)


def pending(store: Path) -> bool:
    """Whether a committed change waits to be finished."""
    return any((store / JOURNAL).glob("[!.]*.json"))


def _finish(store: Path, entry: Path) -> None:
    change = json.loads(entry.read_text())
    for place in change["removed"]:
        (store / place).unlink(missing_ok=True)
    for place in change["added"]:
        source = store / STAGING / entry.stem / place
        if source.exists():
            target = store / place
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
    for folder in {(store / place).parent for place in change["added"]}:
        _settle(folder)
    entry.unlink()
    shutil.rmtree(store / STAGING / entry.stem, ignore_errors=True)


def _settle(path: Path) -> None:
    """Have the file or the directory on the disk, not only in memory."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(store: Path) -> Iterator[None]:
    """The only writer of a store; raises UsageError while another process writes it. A crash leaves no lock behind."""
    with (store / LOCK).open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"{store}: another process writes this store; wait for it") from error
        yield
