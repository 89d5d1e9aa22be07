"""The library's face: its names, a log's tables, a report, and errors for what cannot be read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import logscope
from logscope.errors import LogNotFound, LogRefused, UsageError

LOGS = Path(__file__).parent / "fixtures" / "logs"
CRASH = LOGS / "0.5.23-cpu-forward-out-of-memory.log"


def test_the_names_that_users_import_are_pinned() -> None:
    wanted = {"Log", "Report", "__version__", "analyze", "open_log", "to_html", "to_json", "to_markdown", "to_text"}
    assert wanted <= set(logscope.__all__)
    assert all(getattr(logscope, name) is not None for name in logscope.__all__)


def test_a_table_holds_one_row_a_line_with_the_number_as_printed() -> None:
    table = logscope.open_log(CRASH).tables["decode_batch"]
    raw = CRASH.read_bytes().decode().split("\n")
    assert table.num_rows == sum("] Decode batch" in line for line in raw)
    first = table.slice(0, 1).to_pylist()[0]
    assert f"#token: {first['used_tokens']}," in raw[first["line"] - 1]
    assert [name for name in table.column_names if name.startswith("_")] == []
    assert table.column_names[:5] == ["path", "line", "launch", "rank", "time"]


def test_the_same_input_gives_the_same_bytes_and_a_compressed_copy_the_same_verdict(tmp_path: Path) -> None:
    copy = tmp_path / "crash.log.gz"
    copy.write_bytes(gzip.compress(CRASH.read_bytes()))
    one, two = (logscope.to_json(logscope.analyze(logscope.open_log(CRASH))) for _ in range(2))
    assert one == two
    packed = logscope.analyze(logscope.open_log(copy)).data
    assert packed["verdict"]["cause"] == json.loads(one)["verdict"]["cause"]
    assert packed["coverage"]["lines"] == json.loads(one)["coverage"]["lines"]


def test_since_and_until_keep_a_window() -> None:
    whole = logscope.open_log(CRASH).tables["decode_batch"].num_rows
    part = logscope.open_log(CRASH, since="2026-11-29T12:19:20", until="2026-11-29T12:19:22").tables["decode_batch"]
    assert 0 < part.num_rows < whole


def test_a_time_with_a_zone_needs_the_zone_of_the_log() -> None:
    with pytest.raises(UsageError, match="zone"):
        logscope.open_log(CRASH, since="2026-11-29T12:19:20+00:00")


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogNotFound, match="nowhere"):
        logscope.open_log(tmp_path / "nowhere.log")
    binary = tmp_path / "core"
    binary.write_bytes(bytes(range(256)) * 400)
    with pytest.raises(LogRefused):
        logscope.open_log(binary)


def test_an_empty_log_gives_a_report_that_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty.log"
    empty.touch()
    verdict = logscope.analyze(logscope.open_log(empty)).data["verdict"]
    assert verdict["cause"] == "not_enough_evidence"


def test_a_table_that_is_not_there_is_answered_with_those_that_are() -> None:
    tables = logscope.open_log(CRASH).tables
    with pytest.raises(KeyError, match=r"no line of the log is of the table 'mlx_pool'; it has .*decode_batch"):
        tables["mlx_pool"]
    assert tables.get("mlx_pool") is None
