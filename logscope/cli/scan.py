"""`logscope scan`: many logs in, one row a log out, and a store that can be asked."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from logscope.cli._failure import complain
from logscope.cli._tally import SEVERITIES, Tally, write_rows
from logscope.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from logscope.archive.scan import Counts, Row, Scan
    from logscope.archive.store import Store
    from logscope.archive.task import Settings
    from logscope.log import Window

LEAST_MEMORY_BYTES = 256 << 20


@click.command(short_help="Analyse every log of an archive.")
@click.argument("inputs", nargs=-1, metavar="DIR|FILE|PATTERN…")
@click.option("-o", "--output", metavar="STORE", help="Keep all results here: a directory, or s3://BUCKET/PLACE.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["jsonl", "table", "html"]),
    help="What goes to stdout; nothing with -o, unless asked for.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; one a core by default.")
@click.option("--timeout-per-log", type=float, default=600, show_default=True, metavar="SECONDS")
@click.option("--max-memory", metavar="SIZE", help="Of one worker: 700M, 2G.")
@click.option("--include", multiple=True, metavar="PATTERN", help="Only such paths or names, repeatable.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="No such paths or names, repeatable.")
@click.option("--files-from", type=click.Path(path_type=Path), metavar="FILE", help="A list of inputs, - for stdin.")
@click.option("-0", "--null", "nul", is_flag=True, help="The list is separated by NUL bytes, not by lines.")
@click.option("--since", metavar="TIME", help="Only lines from this time on, of the logs' clock.")
@click.option("--until", metavar="TIME", help="Only lines up to this time.")
@click.option("--tz", metavar="ZONE", help="The time zone of the logs' clock.")
@click.option("--full", is_flag=True, help="Keep every decode and prefill line in the store, not a sample.")
@click.option("--verify", is_flag=True, help="Hash known files again instead of trusting size and time.")
@click.option("--timings", is_flag=True, help="Add the seconds that each row waited for; the output then varies.")
@click.option("--reports", type=click.IntRange(min=0), metavar="N", help="Write the reports of the worst N logs.")
@click.option("--baseline", metavar="TIME|STORE", help="What counts as known on the index page: all before, or there.")
@click.option("--fail-on", type=click.Choice([*reversed(SEVERITIES), "never"]), default="error", show_default=True)
@click.option("--cluster", metavar="local|tcp://HOST:PORT", help="Read on Dask workers instead of local processes.")
@click.option("--max-members", type=int, metavar="N", help="Files in one bundle.")
@click.option("--max-expanded", metavar="SIZE", help="Bytes that one bundle or stream may expand to.")
@click.option("--max-ratio", type=float, metavar="X", help="How much larger than stored a bundle may become.")
@click.option("--max-nesting", type=int, metavar="N", help="Bundles inside bundles.")
def scan(
    inputs: tuple[str, ...],
    output: str | None,
    form: str | None,
    fail_on: str,
    timings: bool,
    reports: int | None,
    baseline: str | None,
    **options: Any,
) -> int:
    """Analyse every log of an archive: directories, files, patterns, and bundles (tar, zip, 7z) without unpacking them.

    With -o STORE the results are kept as Parquet, and a second scan reads only what is new. Exit code 4 says that some
    inputs could not be read; the reasons are listed on stderr.
    """
    from logscope.archive.scan import Scan
    from logscope.archive.selection import Filter, select

    names = [*inputs, *_listed(options["files_from"], nul=options["nul"])]
    if not names:
        raise UsageError("name at least one directory, file or pattern")
    settings = _settings(options)
    found = select(names, Filter(exclude=options["exclude"]))
    page_only = form == "html" and output is None
    tally = Tally(keep=page_only)
    with _maybe_opened(output) as store, _workers(options) as (executor, workers):
        running = Scan(settings, store, executor, workers, verify=options["verify"])
        with _progress(running), contextlib.closing(running.rows(found)) as rows:
            write_rows(tally.counted(rows), form or ("" if output else "table"), timings=timings)
        if store is not None:
            from logscope.archive.incidents import regroup

            tally.incidents = regroup(store, settings, executor)
        if store is not None and (form == "html" or reports is not None):
            _pages(store.path, settings, executor, most=20 if reports is None else reports, baseline=baseline)
        elif page_only:
            _page(tally.rows, baseline)
    tally.say(running.counts.known, kept=output)
    return tally.exit_code(fail_on)


def _listed(files_from: Path | None, *, nul: bool) -> list[str]:
    """The inputs that a list names, one a line, or separated by NUL bytes."""
    if files_from is None:
        return []
    try:
        data = sys.stdin.buffer.read() if str(files_from) == "-" else files_from.read_bytes()
    except OSError as error:
        raise UsageError(f"{files_from}: cannot be read: {error.strerror}") from error
    return [os.fsdecode(name) for name in data.split(b"\0" if nul else b"\n") if name]


def _settings(options: Mapping[str, Any]) -> Settings:
    from logscope.archive.member import Caps
    from logscope.archive.plan import with_analysis
    from logscope.archive.task import Settings

    caps = {
        "members": options["max_members"],
        "expanded_bytes": _bytes(options["max_expanded"]),
        "ratio": options["max_ratio"],
        "nesting": options["max_nesting"],
    }
    chosen = Settings(
        analysis="",
        window=_window(options["since"], options["until"], options["tz"]),
        timezone=options["tz"] or "unstated",
        caps=Caps(**{name: value for name, value in caps.items() if value is not None}),
        include=options["include"],
        exclude=options["exclude"],
        timeout_s=options["timeout_per_log"] or None,
        **({"sampled_rows": None} if options["full"] else {}),
    )
    return with_analysis(chosen)


def _window(since: str | None, until: str | None, tz: str | None) -> Window | None:
    if since is None and until is None:
        return None
    from logscope.api import window

    return window(since, until, tz)


def _bytes(size: str | None) -> int | None:
    """A size with a unit of powers of 1024: 700M, 2G, 1048576."""
    if size is None:
        return None
    number, unit = (size[:-1], size[-1].upper()) if size[-1:].isalpha() else (size, "")
    try:
        return int(float(number) * 1024 ** ["", "K", "M", "G", "T"].index(unit))
    except ValueError as wrong:
        raise UsageError(f"{size!r} is no size; write it like 700M or 2G") from wrong


@contextlib.contextmanager
def _maybe_opened(output: str | None) -> Iterator[Store | None]:
    if output is None:
        yield None
        return
    from logscope.archive.mirror import working_copy
    from logscope.archive.store import opened

    with working_copy(output) as (path, push), opened(path) as store:
        store.changed = push
        yield store


@contextlib.contextmanager
def _workers(options: Mapping[str, Any]) -> Iterator[tuple[Callable[[], Executor], int]]:
    """A maker of executors, and how many inputs they read at once."""
    memory = _bytes(options["max_memory"])
    if memory is not None and memory < LEAST_MEMORY_BYTES:
        raise UsageError(
            f"--max-memory {options['max_memory']}: a worker needs {LEAST_MEMORY_BYTES >> 20}M to begin with"
        )
    if options["cluster"]:
        from logscope.archive.cluster import connected

        with connected(options["cluster"], options["jobs"], memory) as found:
            yield found
        return
    from logscope.archive import run

    workers = options["jobs"] or run.cores()
    yield run.processes(workers, memory), workers


@contextlib.contextmanager
def _progress(running: Scan) -> Iterator[None]:
    """A bar with rate and remaining time on stderr, only on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("logs", total=None, rate="")
        began = time.monotonic()

        def seen(counts: Counts) -> None:
            per_s = counts.done / max(time.monotonic() - began, 1e-3)
            bar.update(task, completed=counts.done, total=counts.inputs - counts.known, rate=f"{per_s:,.1f} logs/s")

        running.seen = seen
        yield


def _pages(
    output: Path, settings: Settings, executor: Callable[[], Executor], *, most: int, baseline: str | None
) -> None:
    from logscope.archive.pages import write_pages

    where = write_pages(output, settings, most_reports=most, told=baseline, executor=executor)
    complain(f"wrote {where.name}")


def _page(rows: Sequence[Row], told: str | None) -> None:
    from logscope.archive.index import index_page
    from logscope.archive.pages import baseline
    from logscope.cli._output import to_stdout

    known, since = baseline(told)
    to_stdout(index_page(rows, known=known, since=since))
