"""What is asked in a way that could be misread: the command does what was meant, or says what was wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REAL = "0.5.23-cpu-forward-out-of-memory.log"


@pytest.mark.parametrize("command", [["analyze", "--exit-zero", "-f", "html"], ["redact"]])
def test_a_dash_as_output_is_stdout(
    run: Callable[..., Any], logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*command, logs / REAL, "-o", "-")
    assert (ran.code, list(tmp_path.iterdir())) == (0, [])
    assert "DefaultCPUAllocator" in ran.out


def test_a_new_place_with_a_slash_is_a_directory(run: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    assert run("redact", logs / REAL, "-o", f"{tmp_path}/new/").code == 0
    assert (tmp_path / "new" / REAL).is_file()


def test_a_zone_that_is_none_is_refused_without_a_time_as_well(run: Callable[..., Any], logs: Path) -> None:
    ran = run("analyze", logs / REAL, "--tz", "Mars/X")
    assert ran.code == 2
    assert "'Mars/X' is no time zone" in ran.err


def test_stdin_twice_is_a_usage_error(run: Callable[..., Any]) -> None:
    ran = run("diff", "-", "-")
    assert ran.code == 2
    assert "stdin (-) is named twice" in ran.err


def test_a_window_that_leaves_no_line_is_said(run: Callable[..., Any], logs: Path) -> None:
    ran = run("analyze", logs / REAL, "--since", "2090-01-01")
    assert ran.code == 3
    assert "--since and --until leave none of its" in ran.err
    assert "no line left: only lines from 2090-01-01T00:00:00 were judged" in ran.out


def test_a_window_leaves_its_trace_in_the_report(run: Callable[..., Any], logs: Path) -> None:
    ran = run("analyze", logs / REAL, "--until", "2026-11-29T12:19:16", "--format", "json", "--exit-zero")
    (note,) = json.loads(ran.out)["inputs"][0]["notes"]
    assert note == (
        "only lines to 2026-11-29T12:19:16 were judged (--since, --until); the others were read and left out"
    )


def test_a_window_of_a_log_without_dates_is_one_of_times_of_day(
    run: Callable[..., Any], logs: Path, tmp_path: Path
) -> None:
    undated, dated = tmp_path / "undated.log", logs / REAL
    undated.write_text(re.sub(r"^\[2026-\d\d-\d\d ", "[", dated.read_text(), flags=re.M))
    ran = run("analyze", undated, "--until", "12:19:16", "--exit-zero")
    assert ran.code == 0
    assert "only lines to 12:19:16 were judged" in " ".join(ran.out.split())
    ran = run("analyze", undated, "--since", "2026-11-29T12:19:16")
    assert (ran.code, "write it like 12:19:16" in ran.err) == (2, True)
    ran = run("analyze", dated, "--since", "12:19:16")
    assert (ran.code, "names no day" in ran.err) == (2, True)


def test_a_window_is_told_on_the_page_as_well(run: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    run("analyze", logs / REAL, "--until", "2026-11-29T12:19:16", "-o", page)
    assert "; only lines to 2026-11-29T12:19:16 were judged" in page.read_text()
