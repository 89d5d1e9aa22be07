"""What `logscope tables` writes."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

DECODE = pa.table(
    {
        "path": pa.array(["crash.log", "crash.log"]).dictionary_encode(),
        "line": pa.array([7, 9], pa.int64()),
        "time": pa.array([datetime.datetime(2026, 11, 29, 12, 18, 14, 250000), None], pa.timestamp("ms")),
        "running_requests": pa.array([32, None], pa.int64()),
        "text": pa.array(['a "quoted", text', None]),
    }
)


@pytest.fixture
def tabled(library: Any) -> Any:
    library.tables = {"decode_batch": DECODE, "prefill_batch": DECODE.slice(0, 0)}
    return library


def test_each_family_is_a_file_named_for_its_table(run: Callable[..., Any], tabled: Any, tmp_path: Path) -> None:
    ran = run("tables", "crash.log", "-o", tmp_path / "new" / "out")
    assert ran.code == 0
    assert [p.name for p in (tmp_path / "new" / "out").iterdir()] == ["decode_batch.parquet"]
    assert ran.out == f"           2  {tmp_path}/new/out/decode_batch.parquet\n"


def test_parquet_keeps_types_and_values(run: Callable[..., Any], tabled: Any, tmp_path: Path) -> None:
    run("tables", "crash.log", "-o", tmp_path, "--format", "parquet")
    assert parquet.read_table(tmp_path / "decode_batch.parquet").equals(DECODE)


def test_csv_quotes_text_and_leaves_what_is_missing_empty(run: Callable[..., Any], tabled: Any, tmp_path: Path) -> None:
    run("tables", "crash.log", "-o", tmp_path, "--format", "csv")
    lines = (tmp_path / "decode_batch.csv").read_text().splitlines()
    assert lines[0] == '"path","line","time","running_requests","text"'
    assert lines[1] == '"crash.log",7,2026-11-29 12:18:14.250,32,"a ""quoted"", text"'
    assert lines[2] == '"crash.log",9,,,'


def test_json_lines_leave_out_what_is_missing(run: Callable[..., Any], tabled: Any, tmp_path: Path) -> None:
    run("tables", "crash.log", "-o", tmp_path, "--format", "jsonl")
    rows = [json.loads(line) for line in (tmp_path / "decode_batch.jsonl").read_text().splitlines()]
    assert rows == [
        {
            "path": "crash.log",
            "line": 7,
            "time": "2026-11-29T12:18:14.250000",
            "running_requests": 32,
            "text": 'a "quoted", text',
        },
        {"path": "crash.log", "line": 9},
    ]


def test_a_log_without_rows_ends_with_three(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    assert run("tables", "other.log", "-o", tmp_path).code == 3


def test_an_output_that_is_a_file_is_refused(run: Callable[..., Any], tabled: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert run("tables", "crash.log", "-o", tmp_path / "file").code == 2
