"""A physical line → segments: prefix eras, ranks, frames and glued records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.line import Clock, rank_name, segments


@pytest.mark.parametrize(
    ("text", "ranks", "message"),
    [
        ("[04:40:55 TP0] Decode batch. #running-req: 2", "TP0", "Decode batch. #running-req: 2"),
        ("[2024-11-22 10:00:01 DP-1 TP0] x", "DP-1 TP0", "x"),
        ("[2026-02-20 08:00:00 DP1 PP0 ATTN_CP0 MOE_DP0 TP3 EP3] x", "DP1 PP0 ATTN_CP0 MOE_DP0 TP3 EP3", "x"),
        ("[2025-09-14 09:31:43 DP0 TP0 EP0 PP0] x", "DP0 PP0 TP0 EP0", "x"),
        ("[2026-01-12 02:47:08.123 TP0] x", "TP0", "x"),
        ("[01-28 04:18:10] x", "", "x"),
        ("[gpu_id=3] Load weight begin.", "TP3", "Load weight begin."),
        ("WARNING:sglang.srt.server_args:x", "", "x"),
        ("2025-02-19 11:45:37 TP0] Prefill batch.", "TP0", "Prefill batch."),
    ],
)
def test_every_prefix_era_is_taken_apart(text: str, ranks: str, message: str) -> None:
    (segment,) = segments(text, 1, Clock())
    assert (segment.ranks, segment.message, segment.framed) == (ranks, message, True)


def test_a_level_printed_before_the_logger_is_set_up_is_no_part_of_the_message() -> None:
    (segment,) = segments("[2026-11-29 12:02:29] WARNING server_args.py:1841: Cuda graph is disabled", 1, Clock())
    assert (segment.level, segment.message) == ("WARNING", "Cuda graph is disabled")


def test_carriage_returns_make_frames_and_a_record_glued_behind_a_bar_is_found() -> None:
    text = "\rCapturing: 50%\rCapturing: 100%|█| 2/2 [00:03<00:00, 1it/s][2025-07-28 11:04:21 TP1] Registering 30"
    found = segments(text, 7, Clock())
    assert [s.message for s in found][-1] == "Registering 30"
    assert found[-1].ranks == "TP1"
    assert {s.line for s in found} == {7}


def test_a_stamp_inside_a_request_log_is_text() -> None:
    text = (
        "[2026-01-12 02:47:08] Receive: obj=GenerateReqInput(text='[2026-01-12 02:47:08 TP0] Decode batch, #token: 1')"
    )
    assert len(segments(text, 1, Clock())) == 1


def test_a_clock_without_dates_passes_midnight() -> None:
    clock = Clock()
    before, after = (segments(f"[{t} TP0] x", 1, clock)[0].time_ms for t in ("23:59:59", "00:00:01"))
    assert before is not None
    assert after is not None
    assert after - before == 2000


def test_rank_tokens_are_an_unordered_set() -> None:
    assert rank_name(" EP1 TP2 DP3") == rank_name(" DP3 TP2 EP1") == "DP3 TP2 EP1"


@given(st.text(max_size=200))
def test_any_text_gives_segments_of_its_own_line(text: str) -> None:
    found = segments(text.replace("\n", ""), 3, Clock())
    assert found
    assert all(segment.line == 3 for segment in found)
