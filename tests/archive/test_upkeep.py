"""Compaction changes files and no row; retention removes dates and nothing else."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from logscope.archive import schema
from logscope.archive.store import dataset
from logscope.archive.upkeep import compact, retain

Scanned = Callable[..., list[dict[str, Any]]]


def rows(store: Path, name: str) -> list[dict[str, Any]]:
    return sorted(dataset(store, name).to_table().to_pylist(), key=repr)


def test_compaction_joins_files_and_keeps_every_row(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    for log in sorted(archive.rglob("*.log")):
        scanned(log, store=store)
        (archive / f"again-{log.name}").write_bytes(log.read_bytes() + b"\n")
        scanned(archive / f"again-{log.name}", store=store)
    before = {name: rows(store, name) for name in schema.datasets()}
    files = len(list(store.rglob("*.parquet")))
    assert compact(store) == (files, len(list(store.rglob("*.parquet"))))
    assert len(list(store.rglob("*.parquet"))) < files
    assert {name: rows(store, name) for name in schema.datasets()} == before
    assert len(scanned(archive, store=store)) == 6
    assert scanned.counts.known == 6  # type: ignore[attr-defined]


def test_retention_removes_whole_dates_and_keeps_undated_runs(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    (archive / "undated.log").write_text("[TP0] Load weight begin. avail mem=94.00 GB\n")
    scanned(archive, store=store)
    dates = {row["date"] for row in rows(store, "runs")}
    newest = max(dates - {schema.UNDATED})
    today = datetime.date.fromisoformat(newest) + datetime.timedelta(days=5)
    assert retain(store, days=5, today=today) == len([d for d in dates if d < newest])
    assert retain(store, days=4, today=today) == 1
    assert {row["date"] for row in rows(store, "runs")} == {schema.UNDATED}
    assert all(set(dataset(store, n).to_table()["date"].to_pylist()) <= {schema.UNDATED} for n in schema.datasets())


def test_a_schema_only_grows(tmp_path: Path) -> None:
    """The columns of format 1 as they were first written: a store of then must stay readable."""
    first = ("run", "path", "source", "source_bytes", "source_mtime_ns", "analysis", "logscope", "sha256")
    assert schema.FORMAT == 1
    assert tuple(schema.RUNS.names[: len(first)]) == first
    assert schema.RUNS.field("start").type == pa.timestamp("ms")
