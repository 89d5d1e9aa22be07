"""The index page of a scan in a real browser: it asks for nothing, complains of nothing, and fits a narrow window."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from logscope.archive.clusters import COLUMNS
from logscope.archive.index import index_page

pytestmark = pytest.mark.browser
HOSTILE = "</script><img src=x onerror='owned=1'><style>*{display:none}</style>\u202e" + "W" * 400


def rows(text: str) -> list[dict[str, Any]]:
    start = datetime.datetime(2026, 11, 1, 12)
    return [
        dict.fromkeys(COLUMNS)
        | {
            "run": f"{n:020x}",
            "path": f"node{n}/server.log{text}",
            "cause": "server_defect" if n % 3 else "peer_lost",
            "confidence": "certain",
            "sentence": f"Something failed. {text}",
            "state": "ready_then_crashed",
            "healthy": False,
            "fingerprint": f"{n % 4:012x}",
            "signature": f"a · b · ValueError · {text}",
            "start": start + datetime.timedelta(hours=7 * n),
            "end": start + datetime.timedelta(hours=7 * n + 1),
            "ready_s": 10.0 + n,
            "model": f"/models/m{text}",
            "host": f"node{n}",
            "release_lo": "0.5.9",
            "release_hi": "0.5.23",
            "evidence": text,
            "errors": 1,
        }
        for n in range(30)
    ]


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("text", ["", HOSTILE], ids=["plain", "hostile"])
def test_the_page_asks_for_nothing_and_fits(browser: Any, tmp_path: Path, text: str, width: int) -> None:
    path = tmp_path / "index.html"
    links = {f"{n:020x}": f"reports/{n:020x}.html" for n in range(3)}
    path.write_text(index_page(rows(text), reports=links), encoding="utf-8")
    browser.open(path.as_uri(), width=width)
    assert browser.said() == []
    assert browser.requested() == [path.as_uri()]
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("typeof owned") == "undefined"
    assert browser.run("document.querySelectorAll('.failure').length") == 4
    assert browser.run("document.querySelector('#course svg').getBoundingClientRect().height") > 50


def test_the_page_has_no_accessibility_defect(browser: Any, axe: str, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    path.write_text(index_page(rows("")), encoding="utf-8")
    for theme in ("light", "dark"):
        browser.open(path.as_uri(), media={"prefers-color-scheme": theme})
        browser.run(axe)
        found = browser.run("axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes[0].html))")
        assert found == [], theme
