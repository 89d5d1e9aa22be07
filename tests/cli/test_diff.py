"""`logscope diff` on the fixture logs of both stories."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
GOLDEN = Path(__file__).parents[1] / "fixtures/golden"
STORY_1, STORY_2 = "story-1-pool-nearly-empty-out-of-memory.log", "story-2-refused-then-booted.log"


@pytest.fixture(autouse=True)
def in_the_folder_of_logs(monkeypatch: pytest.MonkeyPatch, logs: Path) -> None:
    monkeypatch.chdir(logs)


def test_the_two_starts_of_story_1_keep_their_golden_comparison(run: Run) -> None:
    ran = run("diff", STORY_1, "-f", "json")
    assert ran.code == 0, ran.err
    path = GOLDEN / "diff-story-1.json"
    if os.environ.get("LOGSCOPE_GOLDEN") == "rewrite":
        path.write_text(ran.out)
    assert ran.out == path.read_text()
    result = json.loads(ran.out)
    assert [(row["name"], row["contribution"]) for row in result["attribution"]] == [
        ("sys_available", pytest.approx(85_559, abs=2))
    ]
    assert result["remainder"]["within_rounding"] is True


def test_the_answer_stands_first_in_the_text(run: Run) -> None:
    lines = run("diff", STORY_1).out.splitlines()
    assert lines[0] == f"{STORY_1}#0 → {STORY_1}#1"
    assert lines[1] == "the pool changes by +85,559 tokens, of which come from"
    assert lines[2].split()[:2] == ["sys_available", "+85,559"]


def test_a_lower_fraction_of_a_third_log_is_told_from_its_free_memory(run: Run) -> None:
    result = json.loads(run("diff", f"{STORY_1}#1", "story-1-third-start-at-04.log", "-f", "json").out)
    shares = {row["name"]: row["contribution"] for row in result["attribution"]}
    assert shares["mem_fraction_static"] < 0 < shares["sys_available"]
    assert sum(shares.values()) == pytest.approx(181_574 - 312_581, abs=3)


def test_a_refused_start_has_no_pool_to_compare_and_its_course_parts_from_the_other(run: Run) -> None:
    result = json.loads(run("diff", f"{STORY_2}#0", f"{STORY_2}#1", "-f", "json").out)
    assert "printed no pool" in result["remainder"]["why"]
    rows = {row["name"]: row for row in result["quantities"]}
    assert "a" not in rows["kv_pool"]
    assert rows["rest_memory"]["a"]["value"] == pytest.approx(-25.30, abs=0.01)
    assert {row["name"] for row in result["arguments"]} >= {"mem_fraction_static"}
    parting = result["first_divergence"]
    assert parting["a"]["line"]["line"] < parting["b"]["line"]["line"]


def test_two_ranks_of_one_launch_are_compared(run: Run) -> None:
    ran = run("diff", f"{STORY_2}#1/TP0", f"{STORY_2}#1/TP3", "-f", "json")
    assert ran.code == 0, ran.err
    result = json.loads(ran.out)
    assert result["launches"] == [f"{STORY_2}#1/TP0", f"{STORY_2}#1/TP3"]
    assert result["arguments"] == []


def test_a_single_launch_has_nothing_to_be_compared_with(run: Run) -> None:
    ran = run("diff", "story-2-booted-alone.log")
    assert ran.code == 2
    assert "has only 1 launches; name a second log" in ran.err


def test_a_rank_that_is_not_there_is_refused_with_those_that_are(run: Run) -> None:
    ran = run("diff", f"{STORY_2}#0/TP99", f"{STORY_2}#1")
    assert ran.code == 2
    assert "has the ranks TP0, TP1" in ran.err


def test_where_nothing_is_attributed_no_argument_is_said_to_have_no_effect(run: Run) -> None:
    told = run("diff", "0.5.9-f-not-enough-memory.log", "0.5.9-b-pool-full-retract.log").out
    rows = {line.split()[0]: line for line in told.splitlines() if line.endswith("not attributed")}
    assert set(rows) == {"max_total_tokens", "mem_fraction_static"}
    silent = [line.split()[0] for line in told.splitlines() if line.endswith("no effect on the pool")]
    assert silent == ["schedule_conservativeness"]


def test_a_start_does_not_differ_from_itself(run: Run) -> None:
    lines = run("diff", STORY_2, STORY_2).out.splitlines()
    assert lines[1] == "both are the same start, so nothing differs"


@pytest.mark.parametrize(
    "command", [["diff", STORY_1], ["whatif", STORY_1], ["query", "select 1 as one", STORY_1, "-f", "csv"]]
)
def test_a_dash_as_output_is_stdout(run: Run, command: list[str], logs: Path) -> None:
    ran = run(*command, "-o", "-")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == run(*command).out != ""
    assert not (logs / "-").exists()


def test_a_copy_of_a_log_opens_with_that_nothing_differs(run: Run, logs: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.log"
    copy.write_bytes((logs / STORY_2).read_bytes())
    lines = run("diff", f"{STORY_2}#0", f"{copy}#0").out.splitlines()
    assert lines[1] == "nothing differs: every quantity and every argument is the same"


def test_ranks_with_one_pool_are_told_so_before_anything_else(run: Run) -> None:
    log = "0.5.9-g3-tp2-kill-rank1.log#0"
    assert run("diff", f"{log}/TP0", f"{log}/TP1").out.splitlines()[1] == "the pool is the same, 20,000 tokens"
