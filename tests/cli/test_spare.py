"""No command writes over a log that it reads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def crash(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "node").mkdir()
    shutil.copy(logs / "0.5.9-f-not-enough-memory.log", "node/crash.log")
    os.link("node/crash.log", "other-name.log")
    os.link("node/crash.log", "budget_refused.csv")
    return tmp_path / "node/crash.log"


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "node/crash.log", "-o", "node/crash.log"),
        ("analyze", "node/crash.log", "-f", "html", "-o", "other-name.log"),
        ("analyze", "node", "-o", "node/crash.log"),
        ("analyze", "node/crash.log", "--bundle", "node/crash.log"),
        ("query", "select 1", "node/crash.log", "-o", "node/crash.log"),
        ("whatif", "node/crash.log#0", "-o", "node/crash.log"),
        ("diff", "node/crash.log", "other-name.log", "-o", "node/crash.log"),
        ("tables", "node/crash.log", "-o", ".", "--format", "csv"),
        ("redact", "node/crash.log", "-o", "other-name.log"),
    ],
    ids=" ".join,
)
def test_a_log_is_not_written_over(run: Callable[..., Any], crash: Path, words: tuple[str, ...]) -> None:
    before = crash.read_bytes()
    ran = run(*words)
    assert ran.code == 2
    assert "is the log itself; choose another place with -o" in ran.err
    assert crash.read_bytes() == before


def test_a_report_beside_the_logs_is_written_again(run: Callable[..., Any], crash: Path) -> None:
    for _ in range(2):
        assert run("analyze", "node", "-o", "node/postmortem.html").code == 1
    assert b"<html" in Path("node/postmortem.html").read_bytes()
