"""The index page: what it says, and what a hostile log cannot make of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import html5lib

from logscope.archive import clusters
from logscope.archive.index import index_page
from logscope.archive.pages import REPORTS, baseline, slim, write_pages
from logscope.archive.plan import with_analysis
from logscope.archive.task import Settings

Scanned = Callable[..., list[dict[str, Any]]]
HOSTILE = "</style><img src=x onerror=alert(1)>\u202e\x1b[31m{{ 7*7 }}"


def row(
    number: int, *, cause: str = "server_defect", mark: str = "aaaaaaaaaaaa", day: int = 1, **more: Any
) -> dict[str, Any]:
    start = datetime.datetime(2026, 11, day, 12)
    made = {
        "run": f"{number:020x}",
        "path": f"node{number}/server.log",
        "source": f"node{number}/server.log",
        "cause": cause,
        "confidence": "certain",
        "sentence": f"It is {cause}.",
        "state": "ready_then_crashed",
        "healthy": cause == "healthy",
        "fingerprint": mark,
        "signature": f"{cause} · ready_then_crashed · ValueError",
        "start": start,
        "end": start + datetime.timedelta(minutes=5),
        "ready_s": 10.0 * number,
        "model": "/models/m",
        "host": f"node{number}",
        "release_lo": "0.5.9",
        "release_hi": "0.5.9",
        "errors": number,
        **more,
    }
    return slim(made)


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.split("<body>")[1]).split())


def test_failures_are_counted_by_fingerprint_with_their_first_log() -> None:
    rows = [row(3, day=5), row(1, day=2), row(2, mark="b" * 12, cause="peer_lost"), row(4, cause="healthy")]
    found = clusters.clusters(rows, known=frozenset(), since=None)
    assert [(len(one.runs), one.first["path"]) for one in found] == [(2, "node1/server.log"), (1, "node2/server.log")]
    said = text_of(index_page(rows))
    assert "3 of 4 logs show a failure of 2 kinds" in said
    assert "first 2026-11-02 12:00, last 2026-11-05 12:00" in said
    assert "25 %" in said


def test_new_is_what_the_baseline_does_not_know() -> None:
    rows = [row(1, day=2), row(2, day=9), row(3, day=9, mark="b" * 12)]
    since = clusters.clusters(rows, known=frozenset(), since=datetime.datetime(2026, 11, 5))
    assert [(one.fingerprint[0], one.new) for one in since] == [("b", True), ("a", False)]
    known = clusters.clusters(rows, known=frozenset({"b" * 12}), since=None)
    assert [(one.fingerprint[0], one.new) for one in known] == [("a", True), ("b", False)]
    assert not any(one.new for one in clusters.clusters(rows, known=frozenset(), since=None))


def test_the_course_accounts_for_every_dated_failure_in_at_most_48_bins() -> None:
    rows = [row(n, day=1 + n % 28) for n in range(100)] + [row(200, start=None, end=None)]
    course = clusters.course(rows)
    assert course is not None
    assert (sum(course.causes["server_defect"]), course.undated) == (100, 1)
    assert course.bins <= 48
    assert clusters.course([row(1, cause="healthy")]) is None


def test_the_page_asks_for_nothing_and_escapes_everything() -> None:
    poisoned = {
        "sentence": HOSTILE,
        "path": HOSTILE,
        "model": HOSTILE,
        "host": HOSTILE,
        "evidence": HOSTILE,
        "signature": f"a · b · {HOSTILE}",
    }
    page = index_page([row(1, **poisoned), row(2, cause=None, error=HOSTILE, error_kind="refused")], title=HOSTILE)
    html5lib.HTMLParser(strict=True).parse(page)
    assert "<script" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert "49" not in text_of(page).replace("2026", "")
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"(?:https?:|//)|url\(|@import", page)


def test_the_page_of_no_log_and_of_only_unread_ones_stands() -> None:
    assert "None of 0 logs" in text_of(index_page([]))
    said = text_of(index_page([slim({"path": "x", "error": "x: is a device", "error_kind": "device"})]))
    assert "x: is a device" in said


def test_rows_link_to_the_reports_that_were_written(archive: Path, tmp_path: Path, scanned: Scanned, here: Any) -> None:
    store = tmp_path / "store"
    scanned(archive, store=store)
    page = write_pages(store, with_analysis(Settings("")), most_reports=1, told=None, executor=here).read_text()
    reports = list((store / REPORTS).iterdir())
    assert len(reports) == 1
    assert f'href="{REPORTS}/{reports[0].name}"' in page
    assert "<!DOCTYPE html>" in reports[0].read_text()
    first = (store / "index.html").read_bytes()
    write_pages(store, with_analysis(Settings("")), most_reports=1, told=None, executor=here)
    assert (store / "index.html").read_bytes() == first
    assert baseline(str(store))[0]
