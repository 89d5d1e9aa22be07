"""The command line run in this process, over a library whose answers a test decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import logscope
import logscope.render
from logscope.cli import logscope as command
from logscope.cli._failure import guarded
from logscope.errors import LogNotFound

EMPTY = Path(__file__).parents[1] / "fixtures/empty-report.json"


def healthy() -> dict[str, Any]:
    """The report of three lines in which nothing is wrong."""
    report: dict[str, Any] = json.loads(EMPTY.read_text(encoding="utf-8"))
    one = {"path": "crash.log", "bytes": 10, "lines": 3, "sha256": "0" * 64, "wrappers": [], "complete": True}
    report["inputs"] = [one]
    report["coverage"] |= {"lines": 3, "recognised": 2, "noise": 1}
    report["verdict"] |= {"cause": "healthy", "confidence": "likely", "sentence": "Nothing is wrong."}
    return report


@dataclass
class Ran:
    """What a run of the command line left behind."""

    code: int
    out: str
    err: str


@dataclass
class Library:
    """The answers of the library, and what it was asked."""

    report: dict[str, Any] = field(default_factory=healthy)
    unreadable: set[str] = field(default_factory=set)
    tables: dict[str, Any] = field(default_factory=dict)
    error: BaseException | None = None
    asked: list[tuple[list[str], dict[str, Any]]] = field(default_factory=list)

    def find(self, severity: str) -> None:
        self.report["findings"] = [{"id": 1, "severity": severity, "role": "root"}]


@dataclass(frozen=True)
class FakeLog:
    tables: dict[str, Any]
    inputs: tuple[Any, ...] = ()


@dataclass(frozen=True)
class FakeReport:
    data: dict[str, Any]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def _run(*arguments: object) -> Ran:
        code = guarded(command, [str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return _run


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    answers = Library()

    def open_log(paths: list[str], **reading: Any) -> FakeLog:
        answers.asked.append((list(paths), reading))
        if answers.error:
            raise answers.error
        for path in paths:
            if path in answers.unreadable:
                raise LogNotFound(f"{path} does not exist")
        return FakeLog(answers.tables)

    def analyze(log: FakeLog) -> FakeReport:
        return FakeReport(answers.report)

    def render(report: dict[str, Any], form: str, *, width: int = 100, color: bool = False) -> str:
        return f"{form}: {report['verdict']['sentence']}"

    monkeypatch.setattr(logscope, "open_log", open_log, raising=False)
    monkeypatch.setattr(logscope, "analyze", analyze, raising=False)
    monkeypatch.setattr(logscope.render, "render", render, raising=False)
    monkeypatch.setattr(logscope.render, "FORMATS", ("html", "json", "line", "md", "text"))
    monkeypatch.setattr(logscope.render, "suffix", {"html": ".html", "line": ".line.txt", "md": ".md"}.__getitem__)
    return answers
