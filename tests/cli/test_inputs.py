"""Real and unreal logs through the command line: one clear line and the right exit code for each."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

REAL = "0.5.23-cpu-forward-out-of-memory.log"


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A directory that another user may enter, which those of pytest are not."""
    home = Path(tempfile.mkdtemp())
    home.chmod(0o755)
    yield home
    shutil.rmtree(home)


def test_a_real_log_is_told_in_one_screen(run: Callable[..., Any], logs: Path) -> None:
    ran = run("analyze", logs / REAL, "--exit-zero")
    assert ran.code == 0
    assert ran.err == ""
    assert "forward_out_of_memory" in ran.out.splitlines()[0]
    assert len(ran.out.splitlines()) <= 50


def test_a_log_from_stdin_is_told_like_the_file(
    run: Callable[..., Any], logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((logs / REAL).read_bytes())))
    piped = json.loads(run("analyze", "-", "-f", "json").out)
    file = json.loads(run("analyze", logs / REAL, "-f", "json").out)
    assert piped["verdict"]["cause"] == file["verdict"]["cause"]
    assert piped["coverage"] == json.loads(json.dumps(file["coverage"]).replace(str(logs / REAL), "-"))


def test_the_same_log_gives_the_same_bytes(run: Callable[..., Any], logs: Path) -> None:
    assert run("analyze", logs / REAL, "-f", "json").out == run("analyze", logs / REAL, "-f", "json").out


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.log", b"", "empty.log: no line to read"),
        ("binary.log", bytes(range(256)) * 20, "binary.log: is binary"),
        ("other.log", b"systemd[1]: Started Session 4 of user root.\n" * 3, "none of the 3 lines"),
        ("broken.log.gz", gzip.compress(b"x" * 5000, mtime=0)[:8] + b"\xff" * 90, "broken.log.gz"),
    ],
    ids=["empty", "binary", "other", "broken"],
)
def test_what_is_no_log_of_the_server_ends_with_three(
    run: Callable[..., Any], tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    ran = run("analyze", tmp_path / name)
    assert ran.code == 3
    assert ran.err.count("\n") == 1
    assert says in ran.err


def test_a_missing_path_ends_with_three(run: Callable[..., Any], tmp_path: Path) -> None:
    ran = run("analyze", tmp_path / "gone.log")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == f"logscope: {tmp_path}/gone.log: there is no such file\n"


def test_a_directory_without_logs_ends_with_three(run: Callable[..., Any], tmp_path: Path) -> None:
    ran = run("analyze", tmp_path)
    assert ran.code == 3
    assert "a directory without a readable text log" in ran.err


def test_a_directory_is_the_logs_in_it(run: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    shutil.copy(logs / REAL, tmp_path / "node0.log")
    report = json.loads(run("analyze", tmp_path, "-f", "json").out)
    assert [part["path"] for part in report["inputs"]] == [str(tmp_path / "node0.log")]


def test_a_device_is_refused(run: Callable[..., Any]) -> None:
    ran = run("analyze", "/dev/null")
    assert ran.code == 3
    assert "is a character device" in ran.err


def test_a_file_without_read_permission_ends_with_three(run: Callable[..., Any], logs: Path, open_to_all: Path) -> None:
    """The superuser may read anything, so as root the test becomes somebody else for a moment."""
    run("analyze", logs / REAL)  # all modules are loaded before others may not be read any more
    path = open_to_all / "secret.log"
    shutil.copy(logs / REAL, path)
    path.chmod(0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        ran = run("analyze", path)
    finally:
        if root:
            os.seteuid(0)
    assert (ran.code, ran.out) == (3, "")
    assert "Permission denied" in ran.err
    assert ran.err.count("\n") == 1


def test_a_missing_log_beside_a_good_one_ends_with_four(run: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    ran = run("analyze", logs / REAL, tmp_path / "gone.log", "-f", "json")
    assert ran.code == 4
    assert json.loads(ran.out)["verdict"]["cause"] == "forward_out_of_memory"
    assert ran.err.count("\n") == 1


def test_a_report_of_nothing_fits_the_schema(run: Callable[..., Any], tmp_path: Path) -> None:
    """`analyze` prints it, so `render` must take it."""
    ran = run("analyze", tmp_path / "gone.log", "-f", "json")
    (tmp_path / "report.json").write_text(ran.out)
    again = run("render", tmp_path / "report.json", "-f", "line")
    assert again.code == 0, again.err
    assert "not_enough_evidence" in again.out


def test_a_window_of_time_leaves_the_rest_out(run: Callable[..., Any], logs: Path) -> None:
    whole = json.loads(run("analyze", logs / REAL, "-f", "json").out)
    start = next(launch["start"] for launch in whole["launches"])
    part = json.loads(run("analyze", logs / REAL, "-f", "json", "--until", start).out)
    rows = [sum(table["rows"] for table in report["tables"]) for report in (part, whole)]
    assert rows[0] < rows[1]


@pytest.mark.parametrize("option", [["--since", "yesterday"], ["--tz", "Nowhere/Land", "--since", "2026-01-01T00:00Z"]])
def test_a_time_or_zone_that_is_none_is_a_usage_error(run: Callable[..., Any], logs: Path, option: list[str]) -> None:
    ran = run("analyze", logs / REAL, *option)
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_tables_count_as_the_report_counts(run: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    ran = run("tables", logs / REAL, "-o", tmp_path, "--format", "jsonl")
    assert ran.code == 0
    report = json.loads(run("analyze", logs / REAL, "-f", "json").out)
    written = {p.stem: len(p.read_text().splitlines()) for p in tmp_path.iterdir()}
    assert written == {table["name"]: table["rows"] for table in report["tables"] if table["rows"]}
