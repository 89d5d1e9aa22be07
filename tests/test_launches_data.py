"""When a launch begins and ends."""

from __future__ import annotations

from pathlib import Path

import logscope


def test_a_second_start_begins_with_its_own_first_time_and_not_with_the_end_of_the_first(logs: Path) -> None:
    report = logscope.analyze(logscope.open_log(logs / "story-1-pool-nearly-empty-out-of-memory.log")).data
    first, second = report["launches"]
    assert (first["start"], first["end"]) == ("2026-11-17T10:02:11", "2026-11-17T10:03:25")
    assert (second["start"], second["end"]) == ("2026-11-17T10:41:03", "2026-11-17T10:45:04")
    assert second["seconds"] == {"ready": 12, "end": 241}


def test_the_last_good_moment_is_that_of_the_last_batch_before_the_crash(logs: Path) -> None:
    report = logscope.analyze(logscope.open_log(logs / "story-1-pool-nearly-empty-out-of-memory.log")).data
    first, second = report["launches"]
    assert (first["ready"], first.get("last_good")) == ("2026-11-17T10:02:23", None)  # nothing went wrong in it
    assert (second["ready"], second["last_good"]) == ("2026-11-17T10:41:15", "2026-11-17T10:44:57")


def test_a_server_that_ran_no_batch_was_last_good_when_it_was_ready(tmp_path: Path) -> None:
    log = tmp_path / "dies-idle.log"
    log.write_text(
        "[2026-11-17 10:00:00 TP0] Load weight begin. avail mem=94.00 GB\n"
        "[2026-11-17 10:00:20] The server is fired up and ready to roll!\n"
        "[2026-11-17 10:05:00 TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
        '  File "scheduler.py", line 1, in event_loop_normal\n'
        "RuntimeError: CUDA error: an illegal memory access was encountered\n"
        "\n"
        "[2026-11-17 10:05:01 TP0] Prefill batch. #new-seq: 1, #new-token: 8, #cached-token: 0, token usage: 0.00, "
        "#running-req: 0, #queue-req: 0\n"
    )
    (launch,) = logscope.analyze(logscope.open_log(log)).data["launches"]
    assert launch["state"] == "ready_then_crashed"
    assert launch["last_good"] == launch["ready"] == "2026-11-17T10:00:20"
