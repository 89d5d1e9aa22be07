"""What a proposed change would do is said where SGLang's own arithmetic fixes it, and only there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import logscope


def actions(logs: Path, *names: str) -> list[dict[str, Any]]:
    verdict = logscope.analyze(logscope.open_log([str(logs / name) for name in names])).data["verdict"]
    found: list[dict[str, Any]] = verdict["actions"]
    return found


def test_a_lower_fraction_gives_fewer_tokens_and_more_beside_them(logs: Path) -> None:
    told = actions(logs, "joined/two-nodes/node0.log", "joined/two-nodes/node1.log")
    fraction, chunk = told[0], next(one for one in told if "chunked-prefill-size" in one["do"])
    assert fraction["effect"].startswith("With --mem-fraction-static 0.86: the pool holds 536,622 to 536,954 tokens (")
    assert "10.44 to 10.48 GiB stay free after the pools (8.89 to 8.93 before)" in fraction["effect"]
    assert "effect" not in chunk
    assert {one["finding"] for one in told} == {0}


def test_a_refused_start_gets_the_pool_that_it_would_have(logs: Path) -> None:
    (raised,) = actions(logs, "story-2-refused-then-booted.log")
    assert raised["effect"] == "With --mem-fraction-static 0.79: the pool holds 29,855 to 30,039 tokens."


def test_a_launch_that_its_own_numbers_contradict_predicts_nothing(logs: Path) -> None:
    assert [one for one in actions(logs, "story-2-booted-alone.log") if "effect" in one] == []
