"""Inputs that cannot be read to their end, or hold nothing: every command says so, and none of them as of a server."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REAL = "0.5.23-cpu-forward-out-of-memory.log"


@pytest.fixture
def cut(logs: Path, tmp_path: Path) -> Path:
    """The first half of a compressed log."""
    whole = gzip.compress((logs / REAL).read_bytes() * 3, mtime=0)
    path = tmp_path / "cut.log.gz"
    path.write_bytes(whole[: len(whole) // 2])
    return path


@pytest.mark.parametrize(
    "arguments", [["analyze"], ["analyze", "--strict"], ["tables", "-o", "tables"], ["redact"], ["scan"]]
)
def test_a_compressed_log_that_ends_early_is_said_and_ends_with_four(
    run: Callable[..., Any], cut: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(cut.parent)
    ran = run(*arguments, "cut.log.gz")
    assert ran.code == 4
    assert "logscope: cut.log.gz: gzip stream is damaged or ends early after" in ran.err


def test_a_scan_says_again_of_a_known_log_that_it_was_cut(run: Callable[..., Any], cut: Path, tmp_path: Path) -> None:
    for _ in range(2):
        ran = run("scan", cut, "-o", tmp_path / "store")
        assert (ran.code, ran.err.count("ends early")) == (4, 1)
    said = run("query", "select count(damage) as cut from runs", tmp_path / "store", "-f", "json").out
    assert json.loads(said) == [{"cut": 1}]


@pytest.mark.parametrize("form", ["text", "md"])
def test_a_report_says_what_was_wrong_with_its_inputs(
    run: Callable[..., Any], cut: Path, logs: Path, tmp_path: Path, form: str
) -> None:
    holed = tmp_path / "holed.log"
    holed.write_bytes((logs / REAL).read_bytes().replace(b"\n", b"\n\0\0\0", 1))
    said = " ".join(run("analyze", cut, holed, "-f", form).out.split())
    assert "gzip stream is damaged or ends early" in said
    assert "3 NUL bytes hold no text and were passed over" in said


@pytest.mark.parametrize("form", ["text", "md"])
@pytest.mark.parametrize(
    ("content", "says"), [(b"", True), (b"systemd[1]: Started Session 4 of user root.\n" * 3, False)]
)
def test_a_file_without_a_server_is_not_said_to_be_cut(
    run: Callable[..., Any], tmp_path: Path, form: str, content: bytes, says: bool
) -> None:
    (tmp_path / "other.log").write_bytes(content)
    ran = run("analyze", tmp_path / "other.log", "-f", form)
    assert ran.code == 3
    assert ("is empty" in ran.out) is says
    assert "ends while the server runs" not in ran.out


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-16-le", "utf-16"])
def test_utf_16_is_read_in_either_order_with_and_without_a_mark(
    run: Callable[..., Any], logs: Path, tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "wide.log"
    path.write_bytes((logs / REAL).read_bytes().decode().encode(encoding))
    wide, narrow = (json.loads(run("analyze", one, "-f", "json").out) for one in (path, logs / REAL))
    assert wide["coverage"]["lines"] == narrow["coverage"]["lines"]
    assert wide["verdict"]["cause"] == narrow["verdict"]["cause"]
