"""Logs of real servers against what really happened, written down outside the server."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import logscope
from logscope.sglang import order

SHARED = Path(os.environ.get("LOGSCOPE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
TRUTHS = sorted((SHARED / "reallogs").glob("*.truth.json")) + sorted(
    (Path(__file__).parent / "fixtures/logs").glob("*.truth.json")
)
ROWS = {
    "decode_batch": r"\] Decode batch",
    "prefill_batch": r"\] Prefill batch",
    "retraction": r"Retract requests\.|Decode out of memory happened",
    "http_access": r"INFO:     \S+:\d+ - \"[A-Z]+ ",
}

pytestmark = pytest.mark.skipif(not TRUTHS, reason=f"no real logs with their truth: {SHARED / 'reallogs'} is absent")


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.name.removesuffix(".truth.json"))
def test_a_real_log_is_told_as_it_was(path: Path) -> None:
    truth: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    log = path.parent / truth["log"]
    report = logscope.analyze(logscope.open_log(log)).data
    expected, verdict, coverage = truth["expect"], report["verdict"], report["coverage"]
    assert verdict["cause"] in expected["cause"]
    assert verdict["fraction"] in expected["fraction"]
    assert report["launches"][-1]["state"] in expected["state"]
    assert sum(coverage[name] for name in ("recognised", "continuation", "noise", "unread")) == coverage["lines"]
    assert coverage["unread"] <= 0.02 * coverage["lines"]
    release = report["launches"][-1]["release"]
    assert "lo" not in release or order(release["lo"]) <= order(expected["release"])
    assert "hi" not in release or order(release["hi"]) >= order(expected["release"])
    assert [f["rule"] for f in report["findings"] if f["kind"] == "impossible"] == []
    raw = log.read_text(encoding="utf-8", errors="replace")
    rows = {table["name"]: table["rows"] for table in report["tables"]}
    assert {name: rows.get(name, 0) for name in ROWS} == {name: len(re.findall(p, raw)) for name, p in ROWS.items()}
    if verdict["cause"] in ("healthy", "stopped_on_request"):
        assert [f["rule"] for f in report["findings"] if f["severity"] != "note"] == []
