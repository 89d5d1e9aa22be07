"""One input → its outcome: the rows of every log in it, or the reason why there are none.

This is what runs in a worker. It imports nothing of the plan or the store, takes plain data and gives Arrow tables, so
that a pool of processes and a cluster run the same function. No error of a log leaves it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from logscope import inputs
from logscope.archive import bundle, remote, rows, schema
from logscope.archive.member import Budget, Member, in_hand, plain
from logscope.archive.patience import TimeUp, within
from logscope.archive.selection import Filter, Found, Refused
from logscope.archive.task import Outcome, Settings, failure, origin_of, run_of
from logscope.errors import InputError, LogNotFound, LogRefused, LogscopeError
from logscope.inputs import Opener
from logscope.log import Log, Window, read
from logscope.report import gist, report
from logscope.source import Source, sources
from logscope.version import VERSION


def outcome_of(found: Found, settings: Settings) -> Outcome:
    """Read one file, or every log of one bundle."""
    runs: list[dict[str, Any]] = []
    parts: dict[str, list[pa.Table]] = {}
    origin = origin_of(found, settings)
    for row, tables in _logs(found, settings):
        runs.append(row | origin)
        for name, table in tables.items():
            parts.setdefault(name, []).append(table)
    joined = {name: pa.concat_tables(held) for name, held in parts.items()}
    return Outcome(found.path, tuple(runs), joined, None if runs else origin)


def log_of(opened: Sequence[Source], settings: Settings) -> Log:
    """The log of some inputs, read as the scan asks for; raises what reading it raises."""
    return read(opened, window=settings.window or Window(), show_prompts=False, timezone=settings.timezone)


def tables_of(path: str, settings: Settings) -> dict[str, pa.Table]:
    """Every dataset of one log and every table of its lines, by name; raises what reading it raises."""
    log = log_of(sources([path]), settings)
    row, tables = _rows(path, log, gist(log).data, settings)
    origin = {"source": path, "analysis": settings.analysis, "logscope": VERSION}
    lines = {name: table for name, table in log.tables.items() if name not in tables}
    return {**lines, **tables, "runs": schema.table([row | origin], schema.RUNS)}


def report_page(source: str, path: str, settings: Settings) -> str:
    """The HTML report of one log, a file or a member of a bundle; "" when it cannot be read any more."""
    from logscope.render import render

    try:
        for member in _members(source, settings):
            if isinstance(member, Member) and member.path == path:
                opened = Source(member.path, member.opener, settings.caps.limits)
                log = log_of([opened], settings)
                return str(render(report(log).data, "html"))
    except LogscopeError:
        return ""
    return ""


def sources_behind(paths: Sequence[tuple[str, str]], settings: Settings) -> list[Source]:
    """The logs of these paths (each with the file that holds it) as inputs of one incident, in this order.

    Members of bundles are held in memory. Raises what opening raises, LogNotFound for a member that is gone.
    """
    opened: dict[str, Source] = {}
    for source in dict.fromkeys(source for _, source in paths):
        wanted = {path for path, held_in in paths if held_in == source}
        for member in _members(source, settings):
            if isinstance(member, Member) and member.path in wanted:
                opener = member.opener if member.path == source else _held(member.opener)
                opened[member.path] = Source(member.path, opener, settings.caps.limits)
    missing = [path for path, _ in paths if path not in opened]
    if missing:
        raise LogNotFound(f"{missing[0]}: is not there any more")
    return [opened[path] for path, _ in paths]


def _held(opener: Opener) -> Opener:
    with opener() as stream:
        return in_hand(stream.read())


def _members(source: str, settings: Settings) -> Iterator[Member | Refused]:
    """The logs behind one path: itself, or the members of a bundle."""
    opener = opener_of(source)
    with opener() as stream:
        size = stream.seek(0, io.SEEK_END) if stream.seekable() else sum(map(len, plain(opener)))
    if bundle.peek(opener, source, settings.caps)[0]:
        yield from bundle.members(opener, source, Budget(settings.caps, source, size))
    else:
        yield Member(source, size, opener)


def opener_of(path: str) -> Opener:
    """A function that opens the stored bytes behind a path, here or elsewhere."""
    return remote.opener(path) if remote.is_remote(path) and not Path(path).exists() else inputs.opener(path)


_Log = tuple[dict[str, Any], Mapping[str, pa.Table]]


def _logs(found: Found, settings: Settings) -> Iterator[_Log]:
    try:
        opener = opener_of(found.path)
        form, _ = bundle.peek(opener, found.path, settings.caps)
    except InputError as error:
        yield failure(found.path, _kind(error), str(error), settings), {}
        return
    if not form:
        if not found.named and not Filter(settings.include, settings.exclude).takes(found.path):
            return
        yield from _log(Member(found.path, found.size, opener), settings, sure=found.named)
        return
    yield from _bundle(found, opener, settings)


def _bundle(found: Found, opener: Opener, settings: Settings) -> Iterator[_Log]:
    wanted = Filter(settings.include, settings.exclude)
    taken = 0
    try:
        for member in bundle.members(opener, found.path, Budget(settings.caps, found.path, found.size)):
            if isinstance(member, Refused):
                taken += 1
                yield failure(member.path, member.kind, member.why, settings), {}
            elif wanted.takes(member.path):
                for one in _log(member, settings, sure=False):
                    taken += 1
                    yield one
    except InputError as error:
        yield failure(found.path, _kind(error), str(error), settings), {}
        return
    if not taken and found.named:
        yield failure(found.path, "no_log", f"{found.path}: holds no log", settings), {}


def _log(member: Member, settings: Settings, *, sure: bool) -> Iterator[_Log]:
    """The rows of one log; nothing for a file that was only found and does not look like a log."""
    try:
        with within(settings.timeout_s):
            source = Source(member.path, member.opener, settings.caps.limits)
            if not sure and not inputs.looks_like_log(member.path, source.head):
                return
            log = log_of([source], settings)
            yield _rows(member.path, log, gist(log).data, settings)
    except TimeUp:
        why = f"{member.path}: took longer than {settings.timeout_s:g} s; raise --timeout-per-log"
        yield failure(member.path, "timeout", why, settings), {}
    except MemoryError:
        yield failure(member.path, "memory", f"{member.path}: needs more memory than --max-memory", settings), {}
    except LogscopeError as error:
        if sure or not _no_text(error):
            yield failure(member.path, _kind(error), str(error), settings), {}
    except zipfile.BadZipFile as error:
        yield failure(member.path, "unreadable", f"{member.path}: is damaged: {error}", settings), {}
    except Exception as error:  # noqa: BLE001  a defect met in one log must not end the scan
        why = f"{member.path}: internal error, {type(error).__name__}: {error}"
        yield failure(member.path, "internal", why, settings), {}


def _no_text(error: LogscopeError) -> bool:
    """Whether a file that nobody named is just something else: an image or a core file beside the logs."""
    return isinstance(error, LogRefused) and ("is binary" in str(error) or "NUL bytes" in str(error))


def _rows(path: str, log: Log, found: Mapping[str, Any], settings: Settings) -> _Log:
    row = rows.run_row(log, found)
    key = run_of(path, row["sha256"], settings.analysis)
    row.update(run=key, path=path, host=rows.host_of(path))
    named = {"run": key, "path": path}
    made = {
        "launches": rows.launch_rows(found),
        "findings": rows.finding_rows(found),
        "facts": rows.fact_rows(found),
    }
    tables = {
        name: schema.table(({**named, **one} for one in of_log), schema.of(name)) for name, of_log in made.items()
    }
    for name in (*schema.SAMPLED, *schema.WHOLE):
        table = rows.family_table(log, name, settings.sampled_rows if name in schema.SAMPLED else None)
        place = table.schema.get_field_index("run")
        tables[name] = table.set_column(place, table.schema.field(place), pa.array([key] * table.num_rows, pa.string()))
    return row, {name: table for name, table in tables.items() if table.num_rows}


def _kind(error: LogscopeError) -> str:
    """One word for an error: what a fleet counts."""
    text = str(error)
    if "bomb" in text or "expands beyond" in text or ("more than" in text and "members" in text):
        return "bomb"
    names = {"LogNotFound": "not_found", "LogRefused": "refused", "LogUnreadable": "unreadable"}
    return names.get(type(error).__name__, "unreadable")
