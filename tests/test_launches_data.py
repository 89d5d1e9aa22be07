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
