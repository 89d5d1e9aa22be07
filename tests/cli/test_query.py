"""`logscope query`: every named question has an answer, every format its form, and the door is shut."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from logscope.archive import query as asked
from logscope.archive.store import opened
from logscope.archive.task import Settings
from logscope.errors import UsageError

CRASH = "0.5.23-cpu-forward-out-of-memory.log"
Run = Callable[..., Any]


@pytest.fixture(scope="module")
def tables(request: pytest.FixtureRequest) -> dict[str, Any]:
    logs = Path(__file__).resolve().parents[1] / "fixtures/logs"
    return asked.tables_behind(
        [str(logs / CRASH), str(logs / "story-2-booted-alone.log")], Settings("", sampled_rows=None)
    )


@pytest.mark.parametrize("name", asked.questions())
def test_a_named_question_says_what_it_asks_and_has_an_answer(name: str, tables: dict[str, Any]) -> None:
    sql = asked.named(name)
    assert asked.title(sql).endswith(".")
    assert asked.answer(sql, tables).num_columns > 1


def test_the_named_questions_find_what_the_logs_show(tables: dict[str, Any]) -> None:
    assert (
        asked.answer(asked.named("worst_hours"), tables).to_pylist()[0]["most_common_cause"] == "forward_out_of_memory"
    )
    assert asked.answer(asked.named("crash_causes_by_release"), tables).to_pylist()[0]["release"] == "0.5.23"
    assert max(asked.answer(asked.named("time_to_ready"), tables)["became_ready"].to_pylist()) >= 1


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/passwd')",
        "select * from read_parquet('/etc/passwd')",
        "select * from '/etc/passwd'",
        "select * from glob('/etc/*')",
        "select * from sys",
        "select * from tables",
        "select getenv('HOME')",
        "copy runs to '{tmp}/x.csv'",
        "attach '{tmp}/x.db'",
        "export database '{tmp}/x'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "set allowed_directories = ['/']",
        "reset enable_external_access",
        "pragma enable_profiling = 'json'",
        "select 1; copy runs to '{tmp}/x.csv'",
        "this is no sql",
        "",
    ],
)
def test_a_query_reads_and_writes_nothing_but_the_tables(
    sql: str, tables: dict[str, Any], tmp_path: Path, run: Run, logs: Path
) -> None:
    ran = run("query", sql.format(tmp=tmp_path), logs / "story-2-booted-alone.log")
    assert ran.code == 2, ran.out
    assert ran.out == ""
    assert list(tmp_path.iterdir()) == []


def test_each_format_holds_the_same_rows(run: Run, logs: Path, tmp_path: Path) -> None:
    sql = "select rule, severity, message from findings order by rule, message"
    rows = json.loads(run("query", sql, logs / CRASH, "-f", "json").out)
    assert rows
    assert list(csv.DictReader(io.StringIO(run("query", sql, logs / CRASH, "-f", "csv").out))) == rows
    assert run("query", sql, logs / CRASH, "-f", "parquet", "-o", tmp_path / "x.parquet").code == 0
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == rows
    assert len(run("query", sql, logs / CRASH, "-f", "md").out.splitlines()) == len(rows) + 2
    assert run("query", sql, logs / CRASH).out.splitlines()[-1].startswith(f"({len(rows)} row")


def test_a_table_for_people_shows_no_control_characters(run: Run, tmp_path: Path) -> None:
    ran = run("query", "select chr(27) || '[31m' || chr(8238) as a, '|' as b from range(1)", write_log(tmp_path))
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert "\\|" in run("query", "select '|' as b from range(1)", write_log(tmp_path), "-f", "md").out


def write_log(folder: Path) -> Path:
    path = folder / "a.log"
    path.write_text("[2026-11-29 12:00:00 TP0] Load weight begin. avail mem=94.00 GB\n")
    return path


def test_a_log_offers_every_table_of_its_lines_and_every_dataset_of_a_store(run: Run, tmp_path: Path) -> None:
    log = write_log(tmp_path)
    assert json.loads(run("query", "select avail_mem_gib as a from load_weight", log, "-f", "json").out) == [
        {"a": 94.0}
    ]
    assert json.loads(run("query", "select count(*) as n from decode_batch", log, "-f", "json").out) == [{"n": 0}]


def test_an_empty_store_has_every_table_without_rows(run: Run, tmp_path: Path) -> None:
    with opened(tmp_path / "store"):
        pass
    ran = run("query", "select count(*) as n from runs join launches using (run)", tmp_path / "store", "-f", "json")
    assert json.loads(ran.out) == [{"n": 0}]


def test_usage_errors_name_what_to_do(run: Run, tmp_path: Path, logs: Path) -> None:
    with opened(tmp_path / "store"):
        pass
    assert "worst_hours" in run("query", "--named", "worst", tmp_path / "store").err
    assert run("query", "select 1").code == 2
    assert run("query", "select 1", tmp_path / "none").code == 3
    assert "one store" in run("query", "select 1", tmp_path / "store", logs / CRASH).err
    assert "worst_hours" in run("query", "--list").out


def test_the_answer_is_an_arrow_table(tables: dict[str, Any]) -> None:
    found = asked.answer("select count(*) as n from decode_batch", tables)
    assert isinstance(found, pa.Table)
    assert found["n"][0].as_py() > 0
    assert "tables" in sys._getframe().f_locals


def test_a_question_behind_the_store_is_answered_with_the_order_that_works(run: Run, tmp_path: Path) -> None:
    ran = run("query", tmp_path, "select count(*) from runs")
    assert ran.code == 2
    assert f"the question comes first: logscope query 'select count(*) from runs' {tmp_path}" in ran.err


def test_a_table_of_which_a_log_has_no_line_is_empty(tables: dict[str, Any]) -> None:
    assert asked.answer("select count(*) as n, max(timeout_s) as most from watchdog", tables).to_pylist() == [
        {"n": 0, "most": None}
    ]


@pytest.mark.parametrize(
    ("name", "said"), [("decode_batches", "did you mean decode_batch"), ("pg_clas", "'show tables' lists them")]
)
def test_a_table_that_is_none_is_named_with_those_of_logscope(name: str, said: str, tables: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"there is no table {name}; .*{said}"):
        asked.answer(f"select * from {name}", tables)


def test_a_store_says_that_the_log_has_the_other_tables(run: Run, tmp_path: Path) -> None:
    with opened(tmp_path / "store"):
        pass
    ran = run("query", "select * from watchdog", tmp_path / "store")
    assert ran.code == 2
    assert "a store keeps no table watchdog; ask the log itself" in ran.err


def test_the_answer_of_a_log_that_breaks_off_says_so(run: Run, tmp_path: Path, logs: Path) -> None:
    whole = gzip.compress((logs / CRASH).read_bytes())
    (tmp_path / "cut.log.gz").write_bytes(whole[: len(whole) // 2])
    ran = run("query", "select count(*) as n from shutdown", tmp_path / "cut.log.gz", "-f", "csv")
    assert ran.code == 4
    assert "cut.log.gz: gzip stream is damaged or ends early" in ran.err
