"""What `logscope render` takes and refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_a_report_is_rendered_without_its_log(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(library.report))
    ran = run("render", path, "-o", tmp_path / "x.html")
    assert ran.code == 0
    assert (tmp_path / "x.html").read_text() == "html: Nothing is wrong."
    assert not library.asked


def test_a_report_is_read_from_stdin(run: Callable[..., Any], library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(library.report).encode())))
    assert run("render", "-", "--format", "md").out == "md: Nothing is wrong.\n"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Decode batch", "is not JSON"),
        ("[]", "is not a logscope report"),
        ('{"schema": "logscope.report/9"}', "'logscope.report/9'"),
        ('{"schema": "logscope.report/1"}', "is not a valid report"),
    ],
)
def test_what_is_no_report_is_refused(
    run: Callable[..., Any], library: Any, tmp_path: Path, content: str, says: str
) -> None:
    (tmp_path / "report.json").write_text(content)
    ran = run("render", tmp_path / "report.json")
    assert ran.code == 3
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_a_missing_report_is_one_line(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    ran = run("render", tmp_path / "gone.json")
    assert ran.code == 3
    assert ran.err.startswith(f"logscope: {tmp_path}/gone.json: cannot be read")
    assert ran.err.count("\n") == 1
