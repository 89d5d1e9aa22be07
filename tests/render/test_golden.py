"""What a user sees of the fixture logs; `make golden` rewrites the files, and the difference is reviewed like code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import logscope
from logscope.render import render, suffix

FIXTURES = Path(__file__).parents[1] / "fixtures"
LOGS = sorted((FIXTURES / "logs").glob("*.log"))
FORMS = ("text", "line", "md")
STORIES = ("story-1-pool-nearly-empty-out-of-memory", "story-2-refused-then-booted")
CASES = [(log, form) for log in LOGS for form in (*FORMS, *(("json", "html") if log.stem in STORIES else ()))]


@pytest.mark.parametrize(("log", "form"), CASES, ids=lambda one: one if isinstance(one, str) else one.stem)
def test_the_golden_report_is_what_is_rendered(log: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(log.parent)
    made = render(logscope.analyze(logscope.open_log(log.name)).data, form, width=80)
    golden = FIXTURES / "golden" / log.stem / f"report{suffix(form)}"
    if os.environ.get("LOGSCOPE_GOLDEN") == "rewrite":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(made, encoding="utf-8")
    assert golden.is_file(), f"{golden.name} of {log.stem} is missing: run make golden"
    assert made == golden.read_text(encoding="utf-8")
