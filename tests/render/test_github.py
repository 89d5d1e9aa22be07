"""Workflow commands of GitHub Actions."""

from __future__ import annotations

import re

from logscope.render.github import github

COMMAND = re.compile(r"::(error|warning|notice)( (file|line|title)=[^,:\n]*(,(file|line|title)=[^,:\n]*)*)?::[^\n]+")


def test_every_row_is_one_command(any_report: dict) -> None:
    rows = github(any_report).splitlines()
    assert rows
    assert all(COMMAND.fullmatch(row) or re.fullmatch(r"\d+ more of level .*", row) for row in rows)


def test_the_verdict_is_first_and_stands_at_its_line(kept_report: dict) -> None:
    first = github(kept_report).splitlines()[0]
    line = kept_report["verdict"]["evidence"][0]["line"]
    assert first.startswith(
        f"::error file={kept_report['inputs'][0]['path']},line={line},title={kept_report['verdict']['cause']}"
    )


def test_noise_is_no_annotation(kept_report: dict) -> None:
    noise = [finding["rule"] for finding in kept_report["findings"] if finding["role"] == "noise"]
    assert noise
    assert not any(rule in github(kept_report) for rule in noise)


def test_what_github_would_drop_is_counted(kept_report: dict) -> None:
    kept_report["findings"] = [{**kept_report["findings"][0], "severity": "error", "role": "root"}] * 25
    rows = github(kept_report).splitlines()
    assert sum(row.startswith("::error") for row in rows) == 10
    assert rows[-1] == "16 more of level error are in the full report"


def test_a_healthy_log_gives_a_notice(empty_report: dict) -> None:
    empty_report["verdict"]["cause"] = "healthy"
    assert github(empty_report).startswith("::notice ")
