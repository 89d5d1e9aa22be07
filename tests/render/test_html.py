"""The HTML page: structure, policy, bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import html5lib
import pytest

from logscope.render.html import html

REPORTS = sorted((Path(__file__).parents[1] / "fixtures" / "reports").glob("*.json"))


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_a_page_is_the_same_bytes_each_time_and_parses_without_an_error(path: Path) -> None:
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    page = html(report)
    assert page == html(report)
    parser = html5lib.HTMLParser(strict=True)
    parser.parse(page)
