"""The index page of a scan and the reports that it links to, written beside the store's datasets."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from logscope.archive import clusters
from logscope.archive.clusters import Row
from logscope.archive.index import index_page
from logscope.archive.outcome import report_page
from logscope.archive.run import stop
from logscope.archive.store import dataset, is_store
from logscope.archive.task import Settings
from logscope.errors import OutputError, UsageError

REPORTS = "reports"


def runs(store: Path) -> list[dict[str, Any]]:
    """What the index page needs of every run of a store, by path."""
    found = dataset(store, "runs").to_table(columns=list(clusters.COLUMNS))
    rows: list[dict[str, Any]] = found.sort_by([("path", "ascending"), ("run", "ascending")]).to_pylist()
    return rows


def slim(row: Row) -> dict[str, Any]:
    """A row without what the page does not show."""
    return {name: row.get(name) for name in clusters.COLUMNS}


def baseline(told: str | None) -> tuple[frozenset[str], datetime.datetime | None]:
    """What is known of before: the fingerprints of another store, or a moment; raises UsageError for neither."""
    if told is None:
        return frozenset(), None
    if is_store(Path(told)):
        column = dataset(Path(told), "runs").to_table(columns=["fingerprint"])["fingerprint"]
        return frozenset(column.drop_null().to_pylist()), None
    try:
        return frozenset(), datetime.datetime.fromisoformat(told).replace(tzinfo=None)
    except ValueError as wrong:
        raise UsageError(f"{told!r} is neither a store nor a time like 2026-11-29T12:00:00") from wrong


def write_pages(
    store: Path, settings: Settings, *, most_reports: int, told: str | None, executor: Callable[[], Executor]
) -> Path:
    """Write the reports of the worst runs, then the index page that links to them; returns where the page is."""
    rows = runs(store)
    known, since = baseline(told)
    found = clusters.clusters(rows, known=known, since=since)
    links = _reports(store, clusters.worst(rows, found, most_reports), settings, executor)
    joined = dataset(store, "incidents").to_table().sort_by("incident").to_pylist()
    page = index_page(rows, known=known, since=since, reports=links, incidents=clusters.in_time(joined, "incident"))
    target = store / "index.html"
    _write(target, page)
    return target


def _reports(
    store: Path, chosen: Sequence[Row], settings: Settings, executor: Callable[[], Executor]
) -> Mapping[str, str]:
    """The addresses of the reports, relative to the page; a log that is gone meanwhile has none."""
    links = {row["run"]: f"{REPORTS}/{row['run']}.html" for row in chosen}
    missing = [row for row in chosen if not (store / links[row["run"]]).is_file()]
    (store / REPORTS).mkdir(exist_ok=True)
    for run, page in _pages(missing, settings, executor):
        if page:
            _write(store / links[run], page)
        else:
            del links[run]
    return links


def _pages(chosen: Sequence[Row], settings: Settings, executor: Callable[[], Executor]) -> Iterable[tuple[str, str]]:
    if not chosen:
        return
    pool = executor()
    try:
        futures = [(row["run"], pool.submit(report_page, row["source"], row["path"], settings)) for row in chosen]
        for run, future in futures:
            yield run, future.result()
    finally:
        stop(pool)


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
