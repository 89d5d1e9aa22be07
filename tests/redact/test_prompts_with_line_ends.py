"""What a user wrote stays private and is no evidence, also where something put line ends into it."""

from __future__ import annotations

from pathlib import Path

import pytest

import logscope
from logscope.parse import Reader
from logscope.record import quote_behind
from logscope.render.html import html
from logscope.render.md import md
from logscope.render.text import text
from logscope.source import Block

HEAD = "[2026-11-29 12:25:11] Receive: obj=GenerateReqInput(rid='a82c7d', text="
DIARY = """why does my program fail?
Traceback (most recent call last):
  File "/home/alice/diary.py", line 3, in <module>
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB from my diary
"""
REST = ", sampling_params={'max_new_tokens': 8})\n"
KILLED = "Killed\n"
DECODE = (
    "[2026-11-29 12:25:09 TP0] Decode batch, #running-req: 1, #token: 10, token usage: 0.01, cuda graph: True, "
    "gen throughput (token/s): 5.00, #queue-req: 0\n"
)


def read(log: str) -> Reader:
    reader = Reader()
    reader.feed(Block("a.log", 1, log.encode()))
    reader.finish()
    return reader


@pytest.mark.parametrize("quoted", [f"'{DIARY}'", f'"it\'s {DIARY}"', f"'\\'{DIARY}\\''"])
def test_a_prompt_goes_on_until_its_quote_closes_and_gives_no_failure(quoted: str) -> None:
    reader = read(HEAD + quoted + REST + KILLED)
    assert set(reader.rows) == {"request_log", "shell"}
    assert reader.hidden == [(2, 1 + DIARY.count("\n"))]


def test_a_traceback_behind_a_whole_request_is_a_failure() -> None:
    reader = read(HEAD + "'Why?'" + REST + DIARY.partition("\n")[2])
    assert reader.rows["failure"][0].line == 2


def test_a_traceback_that_a_prompt_quotes_takes_no_line_behind_the_request() -> None:
    reader = read(HEAD + repr(DIARY) + REST + "Killed\n")
    assert reader.rows["shell"][0].line == 2
    assert reader.hidden == []


def test_a_line_of_the_server_ends_a_prompt_that_was_cut() -> None:
    reader = read(HEAD + "'a prompt that was cut\n" + DECODE + DIARY.partition("\n")[2])
    assert reader.rows["failure"][0].line == 3


@pytest.mark.parametrize(
    ("before", "behind"), [("'a", "'"), ("'a' \"b", '"'), ("'it\\'s'", ""), ("'\\\\'", ""), ("", "")]
)
def test_an_open_quote_is_known(before: str, behind: str) -> None:
    assert quote_behind(before) == behind


def test_no_report_and_no_table_shows_a_prompt_that_has_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_text(DECODE + HEAD + f"'{DIARY}'" + REST + KILLED)
    log = logscope.open_log(path)
    report = logscope.analyze(log)
    shown = "".join(render(report.data) for render in (html, md, text))
    shown += str(report.data) + "".join(str(table.to_pylist()) for table in log.tables.values())
    assert "Killed" in shown
    for word in ("alice", "diary", "why does"):
        assert word not in shown
