"""A store: Parquet datasets in a directory, written as whole changes, readable by whatever reads Parquet.

`docs/store.md` describes the layout. One process writes at a time; readers need no lock.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyarrow import parquet

from logscope.archive import journal, schema
from logscope.archive.selection import STORE_MARK
from logscope.archive.task import PASSING, Outcome, run_of
from logscope.errors import LogUnreadable, OutputError, UsageError

_PARTITIONING = ds.partitioning(pa.schema([("date", pa.string())]), flavor="hive")


# What the lines and the sums of a scan say of a run that is known from before.
SHOWN = (
    *("run", "source", "path", "sha256", "launches", "cause", "confidence", "fraction", "release_lo", "release_hi"),
    *("lines", "recognised", "errors", "warnings", "notes", "error_kind", "error", "damage"),
)


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows of one source: when it is the same, and read in the same way, it is not read again."""

    size: int
    mtime_ns: int
    analysis: str


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Store]:
    """A store to write to: made if it is not there, and mended after a crash.

    Raises OutputError for a directory that holds something else or cannot be written, UsageError for a store of a
    newer format or one that is being written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        fresh = not is_store(path)
        if fresh and any(not child.name.startswith((".", "_")) for child in path.iterdir()):
            raise OutputError(f"{path}: holds files and is no store; name an empty or a new directory")
        held = contextlib.ExitStack()
        held.enter_context(journal.locked(path))
        if fresh:
            _mark(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    with held:
        check_format(path)
        journal.recover(path)
        yield Store(path)


def is_store(path: Path) -> bool:
    """Whether a scan has written this directory."""
    return (path / STORE_MARK).is_file()


def check_format(path: Path) -> None:
    """Raises UsageError for a format that this release does not know, LogUnreadable for a damaged mark."""
    try:
        found = json.loads((path / STORE_MARK).read_text())["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LogUnreadable(f"{path}: {STORE_MARK} cannot be read: {error}") from error
    if found != schema.FORMAT:
        raise UsageError(f"{path}: is a store of format {found}, this release reads {schema.FORMAT}; scan anew")


def _mark(path: Path) -> None:
    draft = path / f".{STORE_MARK}"
    draft.write_text(json.dumps({"format": schema.FORMAT, "datasets": sorted(schema.NAMES)}) + "\n")
    draft.replace(path / STORE_MARK)


def dataset(store: Path, name: str) -> ds.Dataset:
    """One dataset of a store, with `date` behind its own columns; empty when nothing was written yet."""
    whole = schema.of(name).append(pa.field("date", pa.string()))
    files = [str(path) for path in sorted((store / name).glob("date=*/[!._]*.parquet"))]
    if not files:
        return ds.dataset(whole.empty_table())
    return ds.dataset(
        files, schema=whole, format="parquet", partitioning=_PARTITIONING, partition_base_dir=str(store / name)
    )


class Store:
    """An open store."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.changed: Callable[[], None] = lambda: None  # called after every change
        self._first_of: dict[str, str] = {}
        self._parts_of: dict[str, set[str]] = {}  # source → dates of its runs
        self._number = max((int(p.stem.split("-")[1]) for p in path.glob("*/date=*/part-*.parquet")), default=0)
        self.known = self._load()

    def _load(self) -> dict[str, Known]:
        """What is known, without sources whose failure may pass."""
        known: dict[str, Known] = {}
        again: set[str] = set()
        columns = ["source", "source_bytes", "source_mtime_ns", "analysis", "date"]
        for row in self._scan("passed_over", columns):
            self._learn(row, known)
        for row in self._scan("runs", [*columns, "path", "sha256", "error_kind"]):
            self._learn(row, known)
            if row["error_kind"] in PASSING:
                again.add(row["source"])
            if row["sha256"]:
                self._first_of.setdefault(row["sha256"], row["path"])
        return {source: one for source, one in known.items() if source not in again}

    def _learn(self, row: Mapping[str, Any], known: dict[str, Known]) -> None:
        known[row["source"]] = Known(row["source_bytes"], row["source_mtime_ns"], row["analysis"])
        self._parts_of.setdefault(row["source"], set()).add(row["date"])

    def _scan(self, name: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        for batch in dataset(self.path, name).to_batches(columns=list(columns)):
            yield from batch.to_pylist()

    def rows(self, sources: Iterable[str]) -> Iterator[list[dict[str, Any]]]:
        """The rows of `runs` of each source, as they were when the store was opened, with the columns of SHOWN."""
        shown = dataset(self.path, "runs").to_table(columns=list(SHOWN)).combine_chunks()
        places: dict[str, list[int]] = {}
        for place, source in enumerate(shown["source"].to_pylist()):
            places.setdefault(source, []).append(place)
        left = iter(sources)
        while some := list(itertools.islice(left, 1000)):
            wanted = [places.get(source, []) for source in some]
            found = shown.take(pa.array([place for of_source in wanted for place in of_source], pa.int64())).to_pylist()
            rows = iter(found)
            yield from (list(itertools.islice(rows, len(of_source))) for of_source in wanted)

    def write(self, outcomes: Sequence[Outcome]) -> None:
        """Add the outcomes as one change; what was known of the same sources before is replaced by it."""
        self._number += 1
        change = f"{self._number:08d}"
        runs = [self._with_first(row) for outcome in outcomes for row in outcome.runs]
        date_of = {row["run"]: date_of_run(row) for row in runs}
        passed = [passed_over(outcome) for outcome in outcomes if not outcome.runs and outcome.passed]
        date_of |= {row["run"]: schema.UNDATED for row in passed}
        gathered = {name: [one.tables[name] for one in outcomes if name in one.tables] for name in schema.NAMES}
        gathered["passed_over"] = [schema.table(passed, schema.PASSED_OVER)]
        gathered["runs"] = [schema.table(runs, schema.RUNS)]
        replaced = {one.path for one in outcomes if one.path in self._parts_of}
        removed, places = self._without(replaced, change) if replaced else ([], [])
        for name, tables in gathered.items():
            if tables:
                places += self._stage(change, name, pa.concat_tables(tables), date_of)
        places.sort(key=lambda place: place.startswith("runs/"))
        journal.commit(self.path, journal.Change(change, places, removed))
        self.changed()
        for outcome in outcomes:
            self._parts_of[outcome.path] = {date_of_run(row) for row in outcome.runs} or {schema.UNDATED}

    def _with_first(self, row: Mapping[str, Any]) -> dict[str, Any]:
        content = row.get("sha256")
        first = self._first_of.setdefault(content, row["path"]) if content else None
        return {**row, "same_content_as": first if first != row["path"] else None}

    def _stage(self, change: str, name: str, table: pa.Table, date_of: Mapping[str, str]) -> list[str]:
        if not table.num_rows:
            return []
        dates = pa.array([date_of[run] for run in table["run"].to_pylist()], pa.string())
        places = []
        for date in pc.unique(dates).to_pylist():
            place = f"{name}/date={date}/part-{change}.parquet"
            write_part(table.filter(pc.equal(dates, date)), journal.staged(self.path, change, place))
            places.append(place)
        return places

    def _without(self, sources: set[str], change: str) -> tuple[list[str], list[str]]:
        """The parts that hold runs of these sources, to be removed, and the same parts without them, staged."""
        dates = sorted({date for source in sources for date in self._parts_of[source]})
        chosen = pc.field("source").isin(sorted(sources)) & pc.field("date").isin(dates)
        old = pa.concat_tables(
            dataset(self.path, name).to_table(columns=["run"], filter=chosen) for name in ("runs", "passed_over")
        )["run"].combine_chunks()
        removed: list[str] = []
        places: list[str] = []
        for part in [p for date in dates for p in sorted(self.path.glob(f"*/date={date}/part-*.parquet"))]:
            table = parquet.read_table(part, partitioning=None)
            left = table.filter(pc.invert(pc.is_in(table["run"], old)))
            if left.num_rows < table.num_rows:
                removed.append(part.relative_to(self.path).as_posix())
                if left.num_rows:
                    folder = part.parent.relative_to(self.path).as_posix()
                    places.append(f"{folder}/part-{change}-{len(removed)}.parquet")
                    write_part(left, journal.staged(self.path, change, places[-1]))
        return removed, places


def passed_over(outcome: Outcome) -> dict[str, Any]:
    """What is kept of a file that holds no log, so that it is not opened again."""
    assert outcome.passed is not None
    return {**outcome.passed, "run": run_of(outcome.path, "passed_over", outcome.passed["analysis"])}


def write_part(table: pa.Table, path: Path) -> None:
    """One Parquet file; raises OutputError when it cannot be written."""
    try:
        parquet.write_table(table, path, compression="zstd", row_group_size=1 << 17)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def date_of_run(row: Mapping[str, Any]) -> str:
    """The day of a run's first dated line, which names its partition."""
    start = row.get("start") or row.get("end")
    return f"{start:%Y-%m-%d}" if start else schema.UNDATED
