"""The same failure has the same fingerprint, and another failure another one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logscope.redact import KINDS, Redactor, Streams
from logscope.redact import redacted as masked

Scanned = Callable[..., list[dict[str, Any]]]
CRASH = "0.5.23-cpu-forward-out-of-memory.log"


def later(text: str) -> str:
    """The log of another day and hour."""
    return re.sub(
        r"(\d{4})-(\d\d)-(\d\d) (\d\d):", lambda m: f"{m[1]}-{m[2]}-{int(m[3]) % 27 + 1:02d} 0{int(m[4]) % 10}:", text
    )


def elsewhere(text: str) -> str:
    """The log of another host, user and installation."""
    text = re.sub(r"/[\w./-]*site-packages/", "/srv/other/venv/lib/python3.12/site-packages/", text)
    return re.sub(r"pid=\d+", "pid=7", text).replace("127.0.0.1", "10.1.2.3")


def redacted(text: str) -> str:
    """The log as `logscope redact` gives it away, with every kind of name replaced."""
    redactor, streams = Redactor(KINDS), Streams()
    redactor.learn(text)
    return "".join(masked(text.splitlines(keepends=True), redactor, streams))


@pytest.mark.parametrize("changed", [later, elsewhere, redacted])
def test_a_failure_is_the_same_at_another_time_and_place_and_redacted(
    logs: Path, tmp_path: Path, scanned: Scanned, changed: Callable[[str], str]
) -> None:
    text = (logs / CRASH).read_text()
    (tmp_path / "a.log").write_text(text)
    (tmp_path / "b.log").write_text(changed(text))
    assert changed(text) != text
    first, second = scanned(tmp_path / "a.log", tmp_path / "b.log")
    assert first["fingerprint"] == second["fingerprint"]
    assert first["sha256"] != second["sha256"]


def test_other_failures_have_other_fingerprints(shared: Path, scanned: Scanned) -> None:
    rows = scanned(shared / "cases")
    by_mark: dict[str, set[str]] = {}
    for row in rows:
        by_mark.setdefault(row["fingerprint"], set()).add(row["cause"])
    assert all(len(causes) == 1 for causes in by_mark.values())
    assert len(by_mark) > 40
