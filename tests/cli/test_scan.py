"""`logscope scan` as a person or a script runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CRASH = "0.5.23-cpu-forward-out-of-memory.log"


def scan(*arguments: object, given: bytes = b"") -> tuple[int, str, str]:
    command = [sys.executable, "-m", "logscope", "scan", *map(str, arguments)]
    ran = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, timeout=120)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


@pytest.fixture
def fleet(tmp_path: Path, logs: Path) -> Path:
    root = tmp_path / "fleet"
    root.mkdir()
    shutil.copy(logs / CRASH, root / "b.log")
    shutil.copy(logs / "story-2-booted-alone.log", root / "a.log")
    return root


def test_jsonl_has_one_line_a_log_with_the_fields_of_the_schema(fleet: Path) -> None:
    code, out, _ = scan(fleet, "--format", "jsonl")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [Path(row["path"]).name for row in rows] == ["a.log", "b.log"]
    assert set(rows[1]) == {"path", "launches", "cause", "confidence", "fraction", "release", "lines"}
    assert (rows[1]["cause"], rows[1]["launches"], rows[1]["lines"]) == ("forward_out_of_memory", 1, 307)
    assert rows[1]["release"] == {"lo": "0.5.23", "hi": "0.5.23"}
    assert code == 1


def test_the_same_archive_gives_the_same_bytes_with_and_without_a_store(fleet: Path, tmp_path: Path) -> None:
    shutil.copy(fleet / "a.log", fleet / "c.log")
    plain = scan(fleet, "--format", "jsonl", "-j", 1)[1]
    first = scan(fleet, "--format", "jsonl", "-o", tmp_path / "store")[1]
    again = scan(fleet, "--format", "jsonl", "-o", tmp_path / "store")[1]
    assert plain == first == again
    assert json.loads(plain.splitlines()[2])["same_content_as"].endswith("a.log")
    _, out, err = scan(fleet, "-o", tmp_path / "store")
    assert (out, err.rstrip().endswith(f"; kept in {tmp_path / 'store'}")) == ("", True)
    assert all("seconds" in json.loads(line) for line in scan(fleet, "--format", "jsonl", "--timings")[1].splitlines())


def test_what_cannot_be_read_is_said_and_counted_and_the_scan_goes_on(fleet: Path) -> None:
    (fleet / "0.log").write_bytes(b"\x1f\x8b\x08\x00 not gzip at all")
    code, out, err = scan(fleet, fleet / "missing.log", "--format", "jsonl")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 4
    assert [("error" in row, Path(row["path"]).name) for row in rows] == [
        (True, "0.log"), (False, "a.log"), (False, "b.log"), (True, "missing.log"),
    ]  # fmt: skip
    assert "there is no such file" in err
    assert "not a readable gzip stream" in err


def test_exit_codes_follow_fail_on(fleet: Path) -> None:
    assert scan(fleet, "--fail-on", "never")[0] == 0
    assert scan(fleet / "a.log")[0] == 1
    assert scan(fleet / "none.log")[0] == 3
    assert scan()[0] == 2
    assert scan(fleet, "--max-memory", "much")[0] == 2


def test_a_list_of_names_may_hold_line_ends_when_it_is_separated_by_nul(fleet: Path) -> None:
    odd = fleet / "odd\nname *.log"
    (fleet / "a.log").rename(odd)
    code, out, _ = scan("--files-from", "-", "-0", "--format", "jsonl", given=bytes(odd) + b"\0")
    assert [json.loads(line)["path"] for line in out.splitlines()] == [str(odd)]
    assert code == 1


def test_include_and_exclude_are_patterns_of_names(fleet: Path) -> None:
    assert len(scan(fleet, "--include", "a*", "--format", "jsonl")[1].splitlines()) == 1
    assert len(scan(fleet, "--exclude", "a*", "--format", "jsonl")[1].splitlines()) == 1


def test_since_and_until_read_a_part_of_each_log(fleet: Path) -> None:
    whole = json.loads(scan(fleet / "b.log", "--format", "jsonl")[1])
    none = json.loads(scan(fleet / "b.log", "--until", "2026-11-29T00:00:00", "--format", "jsonl")[1])
    assert (whole["cause"], none["cause"]) == ("forward_out_of_memory", "not_enough_evidence")
    assert scan(fleet, "--since", "yesterday")[0] == 2


def test_the_page_is_written_beside_the_store_with_the_worst_reports(fleet: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    code, out, err = scan(fleet, "-o", store, "--format", "html", "--reports", 1)
    assert (code, out) == (1, "")
    assert "A forward pass needed memory outside the pool" in (store / "index.html").read_text()
    assert len(list((store / "reports").glob("*.html"))) == 1
    assert "index.html" in err
    assert scan(fleet, "--format", "html")[1].startswith("<!DOCTYPE html>")
