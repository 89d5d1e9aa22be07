"""Verdicts that the series of batch lines decides: each series that proves something beside one that does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
