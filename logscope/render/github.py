"""Workflow commands of GitHub Actions: the verdict and the findings as annotations on the lines of the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logscope.render import _wording as words
from logscope.render._order import ordered_findings

SUFFIX = ".github.txt"
# GitHub shows ten annotations of each level a step; what is beyond would be lost in silence.
SHOWN_MAX = 10
MESSAGE_MAX = 4000
_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def github(report: Mapping[str, Any]) -> str:
    """One command a line; noise findings are left out, and how many of a level were left out is said at the end."""
    verdict = report.get("verdict", {})
    level = "notice" if verdict.get("cause") in words.NO_FAULT else "error"
    evidence = verdict.get("evidence") or [{}]
    lines = [_command(level, evidence[0], f"{verdict.get('cause')} ({verdict.get('confidence')})", _said(report))]
    shown = {"error": 0, "warning": 0, "notice": 0, level: 1}
    left = dict.fromkeys(shown, 0)
    for finding in ordered_findings(report):
        if finding.get("role") == "noise":
            continue
        level = _LEVELS.get(finding.get("severity", "note"), "notice")
        if shown[level] >= SHOWN_MAX:
            left[level] += 1
            continue
        shown[level] += 1
        where = (finding.get("evidence") or [{}])[0]
        numbers = words.numbers_of(finding)
        message = f"{words.prose(finding.get('message', ''))}{f' [{numbers}]' if numbers else ''}"
        lines.append(_command(level, where, f"{finding.get('rule')} {finding.get('title', '')}", message))
    lines += [f"{count} more of level {name} are in the full report" for name, count in left.items() if count]
    return "\n".join(lines) + "\n"


def _said(report: Mapping[str, Any]) -> str:
    sentence = words.prose(report.get("verdict", {}).get("sentence", "")).rstrip(".")
    return f"{sentence}. {words.direction(report)}"


def _command(level: str, where: Mapping[str, Any], title: str, message: str) -> str:
    properties = {"file": where.get("path"), "line": where.get("line"), "title": words.prose(title)}
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value is not None)
    return f"::{level} {given}::{_data(words.clip(message, MESSAGE_MAX))}"


def _data(text: str) -> str:
    """Text as the runner unescapes it (actions/toolkit, command.ts)."""
    return words.printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
