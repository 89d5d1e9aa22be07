"""Pieces of one line are masked as the line that they were, whatever stands between them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from logscope.redact import Streams, mask_lines

PROMPT = "\\n".join(f"zebra{number} Traceback (most recent call last): it's mine" for number in range(400))
RECORD = f"[2026-11-29 12:25:11] Receive: obj=GenerateReqInput(rid='a82c', text=\"{PROMPT}\", input_ids=None)"
HEALTH = 'INFO:     127.0.0.1:1 - "GET /health HTTP/1.1" 200 OK'
LONG = "[2026-11-29 12:25:12] " + "a long line that no user wrote, " * 200
CLOCK = "2026-11-29T12:25:11.000000001Z"


def cri(stream: str, text: str, size: int = 900) -> list[str]:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [f"{CLOCK} {stream} {'PF'[place == len(pieces) - 1]} {piece}" for place, piece in enumerate(pieces)]


def docker(stream: str, text: str, size: int = 900) -> list[str]:
    text += "\n"
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [json.dumps({"log": piece, "stream": stream, "time": CLOCK}) for piece in pieces]


def log(wrapped: Callable[[str, str], list[str]]) -> list[str]:
    health = wrapped("stdout", HEALTH)
    return [line for text in (RECORD, LONG) for piece in wrapped("stderr", text) for line in (piece, *health)]


@pytest.mark.parametrize("wrapped", [cri, docker])
def test_pieces_of_a_request_hide_it_also_between_lines_of_the_other_stream(
    wrapped: Callable[[str, str], list[str]],
) -> None:
    before = log(wrapped)
    shown = mask_lines(before)
    assert "zebra" not in "".join(shown)
    assert len(shown) == len(before)
    assert shown[1::2] == before[1::2]
    assert shown[-2 * len(wrapped("stderr", LONG)) :] == before[-2 * len(wrapped("stderr", LONG)) :]


@pytest.mark.parametrize("wrapped", [cri, docker])
def test_a_log_may_come_in_parts_and_end_in_the_middle_of_a_line(wrapped: Callable[[str, str], list[str]]) -> None:
    lines = wrapped("stderr", RECORD)[:-2]
    streams = Streams()
    shown = "".join([*(streams.take(line + "\r\n") for line in lines), streams.finish()])
    assert "zebra" not in shown
    assert shown.count("\r\n") == len(lines)


def test_what_no_runtime_wrote_stays_as_it_is() -> None:
    lines = ['{"log": 3}', '{"log": "alone"}', "{", "", f"{CLOCK} stderr F", HEALTH]
    assert mask_lines(lines) == lines


def test_only_a_stamp_ends_an_open_quote() -> None:
    diary = ["why?", "Traceback (most recent call last):", "INFO:     mine", '{"mine": 1}', "Exception in mine"]
    head = "[2026-11-29 12:25:11] Receive: obj=GenerateReqInput(rid='a82c', text='"
    shown = mask_lines([head + "mine", *diary, "thanks, mine', input_ids=None)", "Killed"])
    assert "mine" not in "".join(shown)
    assert shown[-1] == "Killed"
