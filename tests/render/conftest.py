"""Reports that the renderers are tried on: the kept ones, an empty one, and one full of hostile text."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

REPORTS = Path(__file__).parents[1] / "fixtures" / "reports"

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "\x1b[2J\x1b]0;owned\x07\x1b[31m",
    "\u202egnp.exe\u2066\u2069\u200b\ufeff",
    "nul\x00bell\x07back\x08",
    "line one\nline two\r\n::error ::forged\r## heading",
    "```\n~~~\n````` {{7*7}} ${jndi:ldap://x} <!-- ]]> %0A %25",
    "@everyone #1 !2 GH-3 www.example.com https://example.com [a](javascript:b) ![i](http://c/d.png) | cell |",
    "lone \udc80\udcff \ud800 surrogates \u2028\u2029 \ufffe\uffff",
    "[bold]rich markup[/bold] [link=http://x]y[/link] {0} {placeholder}",
    "x" * 5000,
)


def empty() -> dict[str, Any]:
    """The report of nothing read: every list empty, every count zero, no launch."""
    report: dict[str, Any] = json.loads((REPORTS.parent / "empty-report.json").read_text(encoding="utf-8"))
    return report


def story(number: int) -> dict[str, Any]:
    """The kept report of story 1 or 2."""
    (path,) = REPORTS.glob(f"story-{number}-*.json")
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return report


def poisoned(report: dict[str, Any], text: str) -> dict[str, Any]:
    """The report with the text appended to every string that may come from a log."""
    keep = {
        "schema",
        "kind",
        "severity",
        "role",
        "state",
        "confidence",
        "fraction",
        "status",
        "origin",
        "from",
        "sha256",
    }

    def walk(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: walk(member, name) for name, member in value.items()}
        if isinstance(value, list):
            return [walk(member, key) for member in value]
        return f"{value}{text}" if isinstance(value, str) and key not in keep else value

    poisoned_report: dict[str, Any] = walk(copy.deepcopy(report))
    return poisoned_report


CASES = {
    "empty": empty(),
    "story 1": story(1),
    "story 2": story(2),
    **{f"hostile {number}": poisoned(story(2), text) for number, text in enumerate(HOSTILE)},
    "hostile 1 of story 1": poisoned(story(1), HOSTILE[1]),
}


@pytest.fixture(params=list(CASES), ids=list(CASES))
def any_report(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Each report once."""
    return copy.deepcopy(CASES[request.param])


@pytest.fixture(params=[1, 2], ids=["story 1", "story 2"])
def kept_report(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Each kept report once."""
    return story(request.param)


@pytest.fixture
def empty_report() -> dict[str, Any]:
    """The report of nothing read."""
    return empty()


@pytest.fixture
def hostile_texts() -> tuple[str, ...]:
    """What a log may hold to mislead whoever shows it."""
    return HOSTILE
