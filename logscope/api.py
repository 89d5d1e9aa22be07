"""The library's face: what `import logscope` offers."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from pathlib import Path

from logscope.errors import OutputError, UsageError
from logscope.log import Log, Window, read
from logscope.render import render
from logscope.report import Report
from logscope.report import report as _report
from logscope.source import sources

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Moment = str | datetime.datetime | None
_NO_DAY = datetime.date(1970, 1, 1)  # times of day count from it


def open_log(
    paths: Paths,
    *,
    since: Moment = None,
    until: Moment = None,
    tz: str | None = None,
    show_prompts: bool = False,
) -> Log:
    """Read the inputs of one incident: a path or several, `-` for standard input.

    `since` and `until` are times of the log's own clock (ISO 8601; a time of day where the log prints no date; with a
    zone only if `tz` names the log's). Raises LogNotFound, LogUnreadable or LogRefused for an input that cannot be
    read, UsageError for no time or zone.
    """
    if tz:
        _zone(tz)
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    part = window(since, until, tz)
    log = read(
        sources([os.fspath(p) for p in given]), window=part, show_prompts=show_prompts, timezone=tz or "unstated"
    )
    _of_the_clock(part, log)
    return log


def _of_the_clock(part: Window, log: Log) -> None:
    """Raises UsageError where a bound has a day and the log's lines have none, or the other way round."""
    timed = any(one.stamps.get("time") for one in log.inputs)
    for bound in filter(None, (part.since, part.until)):
        if log.dated and bound.date() == _NO_DAY:
            raise UsageError(
                f"{bound.time()} names no day, and the log prints dates; write it like 2026-11-29T12:18:14"
            )
        if timed and not log.dated and bound.date() > _NO_DAY + datetime.timedelta(days=366):
            raise UsageError(
                f"{bound} names a day, and the log prints times of day alone; write it like {bound.time()}"
            )


def window(since: Moment = None, until: Moment = None, tz: str | None = None) -> Window:
    """The part of a log between two moments of its own clock; raises UsageError for a time that is none."""
    return Window(_moment(since, tz), _moment(until, tz))


def _moment(value: Moment, tz: str | None) -> datetime.datetime | None:
    if value is None:
        return None
    try:
        moment = _parsed(value) if isinstance(value, str) else value
    except ValueError as wrong:
        like = "2026-11-29T12:18:14, or 12:18:14 where the log prints no date"
        raise UsageError(f"{value!r} is no time; write it like {like}") from wrong
    if moment.tzinfo is None:
        return moment
    if tz is None:
        raise UsageError(f"{value!r} has a zone, but the log's own is not known; name it with --tz (tz)")
    return moment.astimezone(_zone(tz)).replace(tzinfo=None)


def _parsed(text: str) -> datetime.datetime:
    try:
        return datetime.datetime.combine(_NO_DAY, datetime.time.fromisoformat(text))
    except ValueError:
        return datetime.datetime.fromisoformat(text)


def _zone(name: str) -> datetime.tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if name.upper() == "UTC":
        return datetime.UTC
    try:
        return datetime.datetime.fromisoformat(f"1970-01-01T00:00:00{name}").tzinfo or datetime.UTC
    except ValueError:
        pass
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as wrong:
        raise UsageError(f"{name!r} is no time zone; write it like UTC, +02:00 or Europe/Berlin") from wrong


def analyze(log: Log) -> Report:
    """What happened, which lines prove it, and what to change."""
    return _report(log)


def to_json(report: Report) -> str:
    """The report as JSON, in a stable order."""
    return _text(render(report.data, "json"))


def to_text(report: Report, *, width: int = 80) -> str:
    """The report for a terminal, without colour."""
    return _text(render(report.data, "text", width=width, color=False))


def to_markdown(report: Report) -> str:
    """The report as a comment for a ticket."""
    return _text(render(report.data, "md"))


def to_html(report: Report, path: str | os.PathLike[str]) -> Path:
    """Write the report as one self-contained page; returns where."""
    target = Path(path)
    try:
        target.write_text(_text(render(report.data, "html")), encoding="utf-8")
    except OSError as wrong:
        raise OutputError(f"cannot write the report to {target}: {wrong.strerror}") from wrong
    return target


def _text(made: str | bytes) -> str:
    return made if isinstance(made, str) else made.decode()
