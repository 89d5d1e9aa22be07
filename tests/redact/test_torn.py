"""A log that begins in the middle of a request shows nothing of it, and nothing in it is evidence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import logscope
from logscope.parse import Reader
from logscope.physical import merged, pieces_of
from logscope.redact import KINDS, Redactor, Streams, redacted
from logscope.redact.torn import torn_lines
from logscope.render.html import html
from logscope.render.md import md
from logscope.render.text import text
from logscope.source import Block

QUOTED = (
    r"zebra\nTraceback (most recent call last):\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB"
)
FIELDS = ", input_ids=None, sampling_params={'max_new_tokens': 8}, return_logprob=False)"
TEXT = f"zebra {QUOTED}'{FIELDS}"
FINISHED = "zebra', 'output_ids': [1, 2], 'meta_info': {'id': 'a', 'prompt_tokens': 3}}"
JSON = 'zebra \\"mine\\"", "input_ids": null, "sampling_params": {"temperature": 0}}}'
CHAT = "zebra'}], 'model': 'm', 'frequency_penalty': 0.0, 'presence_penalty': 0.0}"
TOKENS = "11, 12, 13], input_embeds=None, image_data=None, zebra='zebra')"
RAW = "zebra\n" + QUOTED.replace(r"\n", "\n") + f"\nzebra'{FIELDS}"
ENDS = [TEXT, FINISHED, JSON, CHAT, TOKENS, RAW]
REST = [
    (
        "[2026-11-29 12:25:09 TP0] Decode batch, #running-req: 1, #token: 10, token usage: 0.01, cuda graph: True, "
        "gen throughput (token/s): 5.00, #queue-req: 0"
    ),
    "Killed",
]
HEALTH = 'INFO:     127.0.0.1:1 - "GET /health HTTP/1.1" 200 OK'
CLOCK = "2026-11-29T12:25:11.000000001Z"


def cri(line: str, *, between: bool) -> list[str]:
    pieces = [line[at : at + 60] for at in range(0, len(line), 60)]
    parts = [f"{CLOCK} stderr {'PF'[place == len(pieces) - 1]} {piece}" for place, piece in enumerate(pieces)]
    return [one for part in parts for one in (part, *[f"{CLOCK} stdout F {HEALTH}"] * between)]


def everything(path: Path) -> str:
    log = logscope.open_log(path)
    report = logscope.analyze(log)
    shown = "".join(render(report.data) for render in (html, md, text))
    shown += str(report.data) + "".join(str(table.to_pylist()) for table in log.tables.values())
    assert "Killed" in shown
    assert "CUDA out of memory" not in shown
    return shown + "".join(redacted([path.read_text()], Redactor(KINDS), Streams()))


@pytest.mark.parametrize("end", ENDS)
def test_the_end_of_a_request_is_shown_nowhere(end: str, tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_text("\n".join([end, *REST, ""]))
    assert "zebra" not in everything(path)


@pytest.mark.parametrize("head", ["", "[2026-11-29 12:25:11] Receive: obj=GenerateReqInput(rid='a', text='"])
@pytest.mark.parametrize("between", [False, True])
def test_parts_of_a_request_are_shown_nowhere(head: str, between: bool, tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    rest = [f"{CLOCK} stderr F {line}" for line in REST]
    path.write_text("\n".join([*cri(head + TEXT, between=between), *rest, ""]))
    assert "zebra" not in everything(path)


def test_what_is_redacted_is_read_as_before() -> None:
    before = "\n".join([RAW, *REST, ""])
    after = "".join(redacted([before], Redactor(KINDS), Streams()))
    first, second = Reader(), Reader()
    for reader, log in ((first, before), (second, after)):
        reader.feed(Block("a.log", 1, log.encode()))
        reader.finish()
    assert first.coverage.counts == second.coverage.counts
    assert first.hidden == second.hidden == [(1, 1 + RAW.count("\n"))]


@pytest.mark.parametrize(
    "lines",
    [
        [
            '  File "/srv/engine.py", line 3, in run',
            "    engine.generate('hi', sampling_params={'n': 1})",
            "ValueError: no",
        ],
        ["Killed", *REST, TEXT],
        [f"Receive: obj=GenerateReqInput(rid='a', text='{TEXT}"],
        ["server_args=ServerArgs(preferred_sampling_params=None, stream_output=False)"],
        [],
    ],
)
def test_evidence_at_the_beginning_is_no_request(lines: list[str]) -> None:
    assert torn_lines(lines) == 0


def test_a_traceback_that_calls_with_parameters_stays_a_failure() -> None:
    reader = Reader()
    source = "    engine.generate('hi', sampling_params={'n': 1})"
    log = f'  File "/srv/engine.py", line 3, in run\n{source}\nValueError: not mine\n{REST[0]}\n'
    reader.feed(Block("a.log", 1, log.encode()))
    reader.finish()
    assert reader.rows["failure"][0].line == 1


def test_pieces_between_lines_of_another_stream_are_no_certain_line_s() -> None:
    assert pieces_of(np.array([1, 2, 5, 6]), 0) == ({2: 4}, [])
    assert pieces_of(np.array([2, 4, 1, 6]), 0) == ({}, [(3, 3), (5, 5)])
    assert merged([(5, 5), (1, 2), (3, 3), (1, 1)]) == [(1, 3), (5, 5)]
