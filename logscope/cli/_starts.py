"""The starts that a command line names, read from their files."""

from __future__ import annotations

from dataclasses import replace

import logscope
from logscope.errors import LogUnreadable, UsageError
from logscope.log import Log
from logscope.starts import Named, Start, named, start


def opened(text: str) -> Start:
    """The start that a name means. Raises what reading raises, UsageError, FactMissing."""
    which = named(text)
    return _of(_log(which.path), which)


def _log(path: str) -> Log:
    log = logscope.open_log(path)
    if not any(table.num_rows for table in log.tables.values()):
        raise LogUnreadable(f"no line of {path} is one that SGLang prints: is this the server's log?")
    return log


def pair(a: str, b: str | None) -> tuple[Start, Start]:
    """The two starts of a comparison; a single log gives its first launch (or the one that is named) and its last."""
    which = named(a)
    if a == b == "-":
        raise UsageError("stdin (-) is named twice; it can be read once")
    log = _log(which.path)
    if b is not None:
        other = named(b)
        second = log if other.path == which.path else _log(other.path)
        return _of(log, which), _of(second, other)
    if len(log.launches) < 2:
        raise UsageError(f"{which.path} has only {len(log.launches)} launches; name a second log to compare it with")
    first = 0 if which.launch is None else which.launch
    return start(log, replace(which, launch=first)), start(log, replace(which, launch=len(log.launches) - 1))


def _of(log: Log, which: Named) -> Start:
    return start(log, which, preferred=_about(log) if which.launch is None else 0)


def _about(log: Log) -> int:
    """The launch that the verdict is about."""
    if len(log.launches) < 2:
        return 0
    return int(logscope.analyze(log).data["verdict"].get("launch", 0))
