"""A store holds what was scanned, whole or not at all, and is plain Parquet for everybody else."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from logscope.archive import journal, schema
from logscope.archive.store import dataset, opened
from logscope.errors import LogUnreadable, OutputError, UsageError

Scanned = Callable[..., list[dict[str, Any]]]
ROOT = Path(__file__).resolve().parents[2]


def runs_of(store: Path) -> list[dict[str, Any]]:
    return dataset(store, "runs").to_table().sort_by("path").to_pylist()


def test_every_dataset_has_its_documented_columns_and_the_runs_of_the_scan(
    archive: Path, tmp_path: Path, scanned: Scanned
) -> None:
    store = tmp_path / "store"
    rows = scanned(archive, store=store)
    keys = {row["run"] for row in rows}
    assert len(keys) == 3
    for name, fields in schema.datasets().items():
        table = dataset(store, name).to_table()
        assert table.schema.names == [*fields.names, "date"]
        assert set(table["run"].to_pylist()) <= keys, name
        assert table.num_rows or name in ("passed_over", "retraction", "incidents")


def test_pandas_and_duckdb_read_the_store_as_it_lies_there(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    scanned(archive, store=store)
    frame = pandas.read_parquet(store / "runs")
    counted = duckdb.sql(f"select count(*) from read_parquet('{store}/runs/*/*.parquet', hive_partitioning=true)")
    assert len(frame) == counted.fetchall()[0][0] == 3
    assert ds.dataset(store / "findings", partitioning="hive").count_rows() > 0
    assert {str(date) for date in frame["date"]} == {path.name[5:] for path in (store / "runs").iterdir()}


def test_a_second_scan_reads_nothing_and_says_the_same(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    (archive / "readme.md").write_text("no log\n")
    first = scanned(archive, store=store)
    before = sorted(store.rglob("*.parquet"))
    again = scanned(archive, store=store)
    assert scanned.counts.known == scanned.counts.inputs == 4  # type: ignore[attr-defined]
    assert sorted(store.rglob("*.parquet")) == before
    assert [(r["path"], r["cause"], r["run"]) for r in again] == [(r["path"], r["cause"], r["run"]) for r in first]


def test_a_changed_log_replaces_its_run_and_leaves_the_others(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    scanned(archive, store=store)
    old = runs_of(store)
    changed = archive / "node1/story-2-booted-alone.log"
    changed.write_bytes(changed.read_bytes() * 2)
    scanned(archive, store=store)
    assert scanned.counts.known == 2  # type: ignore[attr-defined]
    new = runs_of(store)
    assert [row["path"] for row in new] == [row["path"] for row in old]
    assert [a["run"] == b["run"] for a, b in zip(old, new, strict=True)] == [True, True, False]
    for name in ("launches", "findings", "facts", "decode_batch"):
        assert set(dataset(store, name).to_table()["run"].to_pylist()) <= {row["run"] for row in new}


def test_a_log_read_in_another_way_is_read_again(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    scanned(archive, store=store)
    scanned(archive, store=store, sampled_rows=None)
    assert scanned.counts.known == 0  # type: ignore[attr-defined]
    assert len(runs_of(store)) == 3


def test_only_verify_notices_a_change_that_keeps_size_and_time(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    log = archive / "node1/story-2-booted-alone.log"
    scanned(archive, store=store)
    about = log.stat()
    log.write_bytes(log.read_bytes().replace(b"INFO", b"WARN").replace(b"0", b"1", 1))
    os.utime(log, ns=(about.st_atime_ns, about.st_mtime_ns))
    old = runs_of(store)
    scanned(archive, store=store)
    assert runs_of(store) == old
    scanned(archive, store=store, verify=True)
    assert scanned.counts.known == 2  # type: ignore[attr-defined]
    assert sum(a["sha256"] != b["sha256"] for a, b in zip(old, runs_of(store), strict=True)) == 1


def test_the_same_content_at_two_paths_is_two_runs_and_marked(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    first = archive / "node1/story-2-booted-alone.log"
    (archive / "node2").mkdir()
    (archive / "node2/copy.log").write_bytes(first.read_bytes())
    store = tmp_path / "store"
    rows = {Path(row["path"]).name: row for row in scanned(archive, store=store)}
    assert rows["copy.log"]["same_content_as"] == str(first)
    assert rows[first.name]["same_content_as"] is None
    assert rows["copy.log"]["run"] != rows[first.name]["run"]
    assert [row["same_content_as"] for row in runs_of(store) if row["path"].endswith("copy.log")] == [str(first)]


def test_a_sample_keeps_the_ends_and_accounts_for_every_line(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    scanned(archive, store=whole, sampled_rows=None)
    scanned(archive, store=part, sampled_rows=5)
    order = [("path", "ascending"), ("line", "ascending")]
    every = dataset(whole, "decode_batch").to_table().sort_by(order)
    some = dataset(part, "decode_batch").to_table().sort_by(order)
    assert some.num_rows < every.num_rows == sum(some["stands_for_lines"].to_pylist())
    for path in set(every["path"].to_pylist()):
        lines = every.filter(pa.compute.equal(every["path"], path))["line"].to_pylist()
        kept = some.filter(pa.compute.equal(some["path"], path))["line"].to_pylist()
        assert (kept[0], kept[-1]) == (lines[0], lines[-1])


def test_a_directory_of_something_else_and_a_newer_format_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/file.txt").write_text("mine")
    with pytest.raises(OutputError, match="no store"), opened(tmp_path / "other"):
        pass
    with opened(tmp_path / "store"):
        pass
    mark = tmp_path / "store/logscope-store.json"
    mark.write_text(json.dumps({"format": schema.FORMAT + 1}))
    with pytest.raises(UsageError, match="format"), opened(tmp_path / "store"):
        pass
    mark.write_text("{")
    with pytest.raises(LogUnreadable, match="cannot be read"), opened(tmp_path / "store"):
        pass


def test_a_store_has_one_writer_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path / "store"):
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                f"from pathlib import Path; from logscope.archive.store import opened\nwith opened(Path({str(tmp_path / 'store')!r})): pass",
            ],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
    assert "another process writes this store" in ran.stderr


CHANGE = """
import os, sys
from pathlib import Path
from logscope.archive import journal
store, stop = Path(sys.argv[1]), int(sys.argv[2])
calls = 0
def dying(original):
    def call(*arguments, **options):
        global calls
        calls += 1
        if calls == stop:
            os.kill(os.getpid(), 9)
        return original(*arguments, **options)
    return call
for name in ("replace", "unlink"):
    setattr(Path, name, dying(getattr(Path, name)))
os.fsync = dying(os.fsync)
for place in ("findings/date=d/part-2.parquet", "runs/date=d/part-2.parquet"):
    journal.staged(store, "2", place).write_text("new")
journal.commit(store, journal.Change("2", ["findings/date=d/part-2.parquet", "runs/date=d/part-2.parquet"], ["findings/date=d/part-1.parquet", "runs/date=d/part-1.parquet"]))
"""


def test_a_change_killed_at_any_point_is_whole_or_absent_after_the_next_opening(tmp_path: Path) -> None:
    seen = set()
    for stop in range(1, 40):
        store = tmp_path / str(stop)
        for name in ("findings", "runs"):
            (store / name / "date=d").mkdir(parents=True)
            (store / name / "date=d/part-1.parquet").write_text("old")
        ran = subprocess.run(
            [sys.executable, "-c", CHANGE, str(store), str(stop)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        journal.recover(store)
        found = {path.relative_to(store).as_posix(): path.read_text() for path in store.rglob("*.parquet")}
        before = {f"{name}/date=d/part-1.parquet": "old" for name in ("findings", "runs")}
        after = {f"{name}/date=d/part-2.parquet": "new" for name in ("findings", "runs")}
        assert found in (before, after)
        assert not journal.pending(store)
        seen.add(found == after)
        if ran.returncode == 0:
            break
    assert ran.returncode == 0
    assert seen == {True, False}


def test_a_scan_killed_in_the_middle_is_finished_by_the_next_one(
    archive: Path, tmp_path: Path, scanned: Scanned
) -> None:
    """kill -9 of the whole process group, at several moments; the store is readable at once and complete afterwards."""
    for number in range(30):
        for path in list(archive.glob("node?/*.log")):
            (archive / f"copy{number}").mkdir(exist_ok=True)
            (archive / f"copy{number}" / path.name).write_bytes(path.read_bytes() + b"\n" * number)
    store = tmp_path / "store"
    command = [sys.executable, "-m", "logscope", "scan", str(archive), "-o", str(store), "-j", "2"]
    for seconds in (1.0, 3.0, 6.0):
        running = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        if (store / "runs").is_dir():
            dataset(store, "runs").to_table()
    rows = scanned(archive, store=store)
    assert sorted(row["path"] for row in runs_of(store)) == sorted(row["path"] for row in rows)
    assert len({row["run"] for row in rows}) == len(rows) == 93


def test_a_full_disk_is_one_error_and_what_was_there_stays(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    store = tmp_path / "store"
    scanned(archive / "node0", store=store)
    old = runs_of(store)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))  # no file may grow beyond this, as on a full disk
    try:
        with pytest.raises(OutputError, match="cannot be written"):
            scanned(archive, store=store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)
    assert runs_of(store) == old
    scanned(archive, store=store)
    assert len(runs_of(store)) == 3
