"""`logscope whatif` on the fixture logs of both stories."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
GOLDEN = Path(__file__).parents[1] / "fixtures/golden"


@pytest.fixture(autouse=True)
def in_the_folder_of_logs(monkeypatch: pytest.MonkeyPatch, logs: Path) -> None:
    monkeypatch.chdir(logs)


def test_the_refused_start_of_story_2_keeps_its_golden_prediction(run: Run) -> None:
    arguments = ("--set", "mem_fraction_static=0.770", "--solve", "pool >= 150000")
    ran = run("whatif", "story-2-refused-then-booted.log", *arguments, "-f", "json")
    assert ran.code == 0, ran.err
    path = GOLDEN / "whatif-story-2.json"
    if os.environ.get("LOGSCOPE_GOLDEN") == "rewrite":
        path.write_text(ran.out)
    assert ran.out == path.read_text()
    answer = json.loads(ran.out)
    assert answer["launch"].endswith("#0")
    assert answer["reproduced"]["agrees"] is True
    pool = next(row for row in answer["predicted"] if row["name"] == "max_total_num_tokens")
    assert pool["value"] == pytest.approx(1222, abs=1)
    assert answer["solved"]["lo"] < 0.88 < answer["solved"]["hi"]
    assert "floor 0.7691" in answer["solved"]["why"]


def test_a_start_that_would_be_refused_ends_with_1(run: Run) -> None:
    ran = run("whatif", "story-2-refused-then-booted.log#0", "--set", "mem_fraction_static=0.7")
    assert ran.code == 1
    assert "would be refused: the weights exceed the budget" in ran.out


def test_the_contradiction_of_the_booted_start_is_told_before_its_prediction_is_trusted(run: Run) -> None:
    ran = run("whatif", "story-2-refused-then-booted.log#1")
    assert "the log is NOT reproduced" in ran.out
    assert "mem_fraction_static is taken as 0.8" in ran.out


def test_a_sweep_draws_the_pool_over_the_flag(run: Run) -> None:
    ran = run("whatif", "story-2-refused-then-booted.log#0", "--sweep", "mem_fraction_static=0.75:0.9:0.05")
    rows = [line for line in ran.out.splitlines() if line.startswith("  mem_fraction_static ")]
    assert len(rows) == 4
    assert "refused" in rows[0]
    assert rows[3].count("█") > rows[2].count("█") > rows[1].count("█") > 0


def test_story_1_with_0_4_leaves_room_for_its_private_buffers(run: Run) -> None:
    log = "story-1-pool-nearly-empty-out-of-memory.log#1"
    ran = run("whatif", log, "--set", "mem_fraction_static=0.4", "-f", "json")
    answer = json.loads(ran.out)
    outside = next(row for row in answer["predicted"] if row["name"] == "outside_pool")
    assert outside["lo"] > 14.0
    assert answer["reproduced"]["agrees"] is True


def test_the_same_question_gives_the_same_bytes(run: Run) -> None:
    log = "story-1-pool-nearly-empty-out-of-memory.log#1"
    first, second = (run("whatif", log, "-f", "json").out for _ in range(2))
    assert first == second


def test_a_prediction_goes_into_a_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "prediction.json"
    run("whatif", "story-2-refused-then-booted.log#0", "-f", "json", "-o", target, "--set", "mem_fraction_static=0.88")
    assert json.loads(target.read_text())["schema"] == "logscope.prediction/1"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--set", "nonsense"), "is no change of a flag"),
        (("--set", "warmups=3"), "the effect of warmups is not known"),
        (("--solve", "pool"), "is no condition"),
        (("--solve", "pool >= 1", "--over", "warmups"), "the effect of warmups is not known"),
        (("--sweep", "mem_fraction_static=0.5"), "is no sweep"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_code_2(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    ran = run("whatif", "story-2-refused-then-booted.log#0", *arguments)
    assert ran.code == 2
    assert complaint in ran.err
    assert ran.err.count("\n") == 1


def test_a_launch_that_is_not_there_is_refused_with_the_count(run: Run) -> None:
    ran = run("whatif", "story-2-refused-then-booted.log#7")
    assert ran.code == 2
    assert "has 2 launches, numbered from 0; 7 is not among them" in ran.err


def test_a_fraction_that_leaves_no_room_for_the_graphs_runs_out_and_ends_with_1(run: Run) -> None:
    ran = run("whatif", "story-2-booted-alone.log", "--set", "mem_fraction_static=1")
    assert ran.code == 1
    assert "would run out of device memory" in ran.out


def test_a_sweep_draws_what_the_flag_moves(run: Run) -> None:
    ran = run("whatif", "story-2-booted-alone.log", "--sweep", "max_running_requests=64:2064:1000")
    assert "\nheadroom:\n" in ran.out


def test_readings_that_print_alike_bound_no_fraction_and_nothing_is_told_beyond_its_decimals(run: Run) -> None:
    told = run("whatif", "0.5.9-b-pool-full-retract.log").out
    assert "no bound of the fraction follows: free memory prints as" in told
    assert "kv_pool                       0 … 0.01" in told
    assert "usable fraction above" in run("whatif", "story-2-booted-alone.log").out


def test_a_context_that_is_asked_for_holds_for_the_condition_too_and_leaves_the_table_alone(run: Run) -> None:
    log = "story-2-booted-alone.log"
    asked = ("--context", "16384", "--solve", "concurrency >= 9", "-f", "json")
    answer, own = (json.loads(run("whatif", log, *more).out) for more in (asked, ("-f", "json")))
    rows, at_own = ({row["name"]: row for row in one["predicted"]} for one in (answer, own))
    assert rows["full_context_requests"]["value"] == pytest.approx(16 * at_own["full_context_requests"]["value"])
    assert rows["request_table"] == at_own["request_table"]
    assert answer["solved"]["lo"] < 0.88


def test_a_flag_that_does_not_move_the_answer_is_told_so(run: Run) -> None:
    ran = run("whatif", "story-2-booted-alone.log", "--solve", "pool >= 100000", "--over", "chunked_prefill_size")
    assert "max_total_num_tokens ≥ 100,000 whatever chunked_prefill_size is" in ran.out


@pytest.mark.parametrize(
    "change",
    [
        *("mem_fraction_static=1.2", "mem_fraction_static=-0.1", "mem_fraction_static=7", "mem_fraction_static=nan"),
        *("page_size=0", "max_running_requests=4.5", "max_total_tokens=-5", "max_total_tokens=inf"),
    ],
)
def test_a_value_that_a_flag_cannot_have_is_refused(run: Run, change: str) -> None:
    ran = run("whatif", "story-2-booted-alone.log", "--set", change)
    assert ran.code == 2
    assert "between 0 and 1" in ran.err or "a whole number" in ran.err
