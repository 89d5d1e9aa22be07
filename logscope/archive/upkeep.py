"""A store kept small: parts of a partition made one, old partitions removed; each is one change, safe to kill."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from logscope.archive import journal, schema
from logscope.archive.store import write_part

_TOGETHER_BYTES = 256 << 20  # stored bytes that are read into memory at once


def compact(store: Path) -> tuple[int, int]:
    """Join the small parts of every partition; returns the number of files before and after. Rows stay as they are."""
    before = after = 0
    for number, folder in enumerate(_partitions(store)):
        parts = sorted(folder.glob("part-*.parquet"))
        before += len(parts)
        for at, group in enumerate(_groups(parts)):
            after += 1
            if len(group) > 1:
                change = f"{_next(store):08d}"
                place = f"{folder.relative_to(store).as_posix()}/part-{change}-{number}-{at}.parquet"
                joined = pa.concat_tables(parquet.read_table(part, partitioning=None) for part in group)
                write_part(joined, journal.staged(store, change, place))
                old = [part.relative_to(store).as_posix() for part in group]
                journal.commit(store, journal.Change(change, [place], old))
    return before, after


def retain(store: Path, *, days: int, today: datetime.date) -> int:
    """Remove the partitions of runs that began more than `days` days before `today`; returns how many dates went.

    Undated runs stay. The logs themselves are not touched: the next scan of them reads them again.
    """
    oldest = f"{today - datetime.timedelta(days=days):%Y-%m-%d}"
    dates = {folder.name.removeprefix("date=") for folder in _partitions(store)}
    gone = sorted(date for date in dates if date != schema.UNDATED and date < oldest)
    for date in gone:
        parts = sorted(store.glob(f"*/date={date}/part-*.parquet"), key=lambda part: part.parts[-3] != "runs")
        old = [part.relative_to(store).as_posix() for part in parts]
        journal.commit(store, journal.Change(f"{_next(store):08d}", [], old))
        for folder in store.glob(f"*/date={date}"):
            folder.rmdir()
    return len(gone)


def _partitions(store: Path) -> list[Path]:
    return [folder for name in schema.NAMES for folder in sorted((store / name).glob("date=*"))]


def _groups(parts: Sequence[Path]) -> Iterator[list[Path]]:
    """The parts in runs that fit into memory together."""
    group: list[Path] = []
    size = 0
    for part in parts:
        stored = part.stat().st_size
        if group and size + stored > _TOGETHER_BYTES:
            yield group
            group, size = [], 0
        group.append(part)
        size += stored
    if group:
        yield group


def _next(store: Path) -> int:
    return 1 + max((int(part.stem.split("-")[1]) for part in store.glob("*/date=*/part-*.parquet")), default=0)
