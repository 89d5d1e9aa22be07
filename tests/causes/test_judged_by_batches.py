"""Verdicts that the series of batch lines decides: each series that proves something beside one that does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from logscope.causes.speculation_ineffective import enough_steps

Reported = Callable[[bytes], dict[str, Any]]
BATCH = "[2026-02-03 04:{} TP{}] Decode batch, #running-req: 4, #token: 3000, token usage: 0.08, cuda graph: True, gen throughput (token/s): 142.00, #queue-req: 0\n"
WATCHDOG = "[2026-02-03 04:10:06 TP{}] Watchdog timeout (self.watchdog_timeout=300)\n"
QUIT = "[2026-02-03 04:10:06] SIGQUIT received. signum=None, frame=None. It usually means one child failed.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BATCH.format("10:05", 0) + WATCHDOG.format(0) + QUIT, "not_enough_evidence"),
        (BATCH.format("10:05", 0) + BATCH.format("10:05", 1) + WATCHDOG.format(0) + WATCHDOG.format(1), "not_enough_evidence"),
        (BATCH.format("05:01", 0) + WATCHDOG.format(0) + QUIT, "rank_stalled"),
        (BATCH.format("10:05", 1) + BATCH.format("05:01", 0) + WATCHDOG.format(0), "rank_stalled"),
        (BATCH.format("05:01", 0) + BATCH.format("05:01", 1) + WATCHDOG.format(0) + WATCHDOG.format(1), "collective_stalled"),
    ],
    ids=["it ran", "both ran", "it was silent", "only another ran", "both were silent"],
)  # fmt: skip
def test_a_watchdog_is_believed_unless_its_own_rank_ran(text: str, cause: str, reported: Reported) -> None:
    verdict = reported(text.encode())["verdict"]
    assert verdict["cause"] == cause
    assert ("a batch ran 1 s before it fired and its limit is 300 s" in verdict["sentence"]) == (
        cause == "not_enough_evidence"
    )
    assert ("no progress" in verdict["sentence"]) == (cause == "rank_stalled")


def _served(
    steps: list[float], *, running: int = 10, slow_running: int = 0, slow_graph: str = "True", tokens: int = 400
) -> str:
    """Decode lines of forty steps each, at these steps a second; what is slow may have other requests or no graph."""
    text, second, used = "", 0.0, 30_000
    for speed in steps:
        slow = speed < max(steps)
        requests = slow_running or running if slow else running
        second += 40 / speed
        used += tokens if slow else 400
        moment = f"{4 + int(second // 3600):02d}:{int(second // 60) % 60:02d}:{int(second % 60):02d}"
        text += (
            f"[2026-02-03 {moment} TP0] Decode batch, #running-req: {requests}, #token: {used}, token usage: "
            f"{used / 400_000:.2f}, cuda graph: {slow_graph if slow else 'True'}, gen throughput (token/s): "
            f"{speed * requests:.2f}, #queue-req: 0\n"
        )
    return text


def _with_prefills(text: str) -> str:
    """The same lines, each with a prefill before it."""
    prefill = "Prefill batch, #new-seq: 1, #new-token: 2048, #cached-token: 0, token usage: 0.08, #running-req: 9, #queue-req: 0,"
    return "".join(f"{line[:25]} {prefill}\n{line}" for line in text.splitlines(keepends=True))


FELL = [10.0] * 20 + [1.0] * 12


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        (_served(FELL), "for 12 lines to the end of that load"),
        (_served([10.0] * 10 + [1.0] * 60), "for 60 lines to the end of that load"),
        (_served([*FELL, *[10.0] * 9]), "for 12 lines and then recovered"),
    ],
)
def test_a_server_that_lost_its_speed_at_the_same_load_is_not_acquitted(
    text: str, lasts: str, reported: Reported
) -> None:
    verdict = reported(text.encode())["verdict"]
    assert (verdict["cause"], verdict["confidence"]) == ("not_enough_evidence", "likely")
    assert "from 100.0 to 10.0 tok/s with 10 requests before and after" in verdict["sentence"]
    assert lasts in verdict["sentence"]
    assert any("CLOCK" in one for one in verdict["missing"])


@pytest.mark.parametrize(
    "text",
    [
        _served([10.0] * 20 + [1.0] + [10.0] * 12),
        _served([10.0] * 20 + [4.0] * 12),
        _served(FELL, slow_running=2),
        _served(FELL, slow_graph="False"),
        _served(FELL, tokens=20_000),
        _with_prefills(_served(FELL)),
        _served([10.0] * 20 + [1.0] * 4),
        _served([100.0] * 20 + [20.0] * 12),
    ],
    ids=[
        "an average over a pause",
        "little",
        "fewer run",
        "no graph",
        "longer contexts",
        "prefills",
        "too few lines",
        "seconds",
    ],
)
def test_a_low_rate_that_something_else_explains_is_no_collapse(text: str, reported: Reported) -> None:
    assert "Decoding fell" not in reported(text.encode())["verdict"]["sentence"]


ARGUMENTS = "[2026-02-03 04:04:00] server_args=ServerArgs(model_path='/m/a', tp_size=1, mem_fraction_static=0.85, speculative_algorithm='EAGLE', speculative_num_steps={}, speculative_eagle_topk={}, speculative_num_draft_tokens={}{})\n"
DRAFTED = "[2026-02-03 04:05:{:02d} TP0] Decode batch, #running-req: 10, #token: 32000, token usage: 0.08, accept len: {:.2f}, cuda graph: True, gen throughput (token/s): 160.00, #queue-req: {}\n"


def _drafted(*lengths: float, steps: int = 7, branches: int = 1, more: str = "", queued: int = 0) -> str:
    """A server with a draft of so many steps, and what of it was accepted."""
    lines = (DRAFTED.format(2 * place, length, queued) for place, length in enumerate(lengths))
    return ARGUMENTS.format(steps, branches, steps + 1, more) + "".join(lines)


def test_a_draft_that_is_far_deeper_than_what_is_accepted_is_to_be_made_shallower(reported: Reported) -> None:
    verdict = reported(_drafted(*[1.6, 1.55, 1.65, 1.6] * 5).encode())["verdict"]
    assert verdict["cause"] == "speculation_ineffective"
    assert "1.60 tokens a step in the median of 20 lines, with 7 draft steps" in verdict["sentence"]
    assert "below 2.05" in verdict["sentence"]
    assert "from 7 to --speculative-num-steps 2 with --speculative-num-draft-tokens 3" in verdict["actions"][0]["do"]
    branching = reported(_drafted(*[1.6] * 20, branches=4).encode())["verdict"]
    assert "with fewer --speculative-num-draft-tokens" in branching["actions"][0]["do"]


@pytest.mark.parametrize(
    "text",
    [
        _drafted(*[1.6] * 20, steps=3),
        _drafted(*[2.1] * 20),
        _drafted(*[1.6] * 7),
        _drafted(*[1.6, 1.6, 1.6, 3.2] * 5),
        _drafted(*[1.6] * 20, more=", speculative_adaptive=True"),
    ],
    ids=["a shallow draft", "enough is accepted", "too few lines", "not steady", "steps that change"],
)
def test_a_draft_whose_depth_pays_is_left(text: str, reported: Reported) -> None:
    assert reported(text.encode())["verdict"]["cause"] != "speculation_ineffective"


def test_a_draft_that_is_never_right_is_no_question_of_depth(reported: Reported) -> None:
    verdict = reported(_drafted(*[1.02] * 20).encode())["verdict"]
    assert verdict["cause"] == "speculation_ineffective"
    assert verdict["sentence"].startswith("Speculation gives no gain: 1.02")


@pytest.mark.parametrize(
    ("length", "steps", "enough"), [(1.6, 7, 2), (1.26, 7, 1), (8.0, 7, 7), (1.0, 5, 1), (2.0, 15, 3)]
)
def test_the_steps_that_are_enough_follow_from_what_is_accepted(length: float, steps: int, enough: int) -> None:
    assert enough_steps(length, steps) == enough
