"""Logs that something damaged: every report keeps its promises, and no number is more than a column can hold."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import logscope
from logscope.facts.completeness import running_at_end
from tools.fuzz.__main__ import tried
from tools.fuzz.mutations import MUTATIONS, Mutation
from tools.fuzz.promises import hold

DECODE = (
    "[2026-01-01 10:00:{second:02d} {rank}] Decode batch, #running-req: {running}, #token: 10, token usage: 0.01, "
    "cuda graph: True, gen throughput (token/s): 5.00, #queue-req: 0\n"
)
DUMP = "[2026-01-01 10:00:00] server_args={{'model_path': 'm', 'tp_size': {tp}, 'mem_fraction_static': {fraction}}}\n"


def report_of(tmp_path: Path, text: str) -> dict[str, Any]:
    log = tmp_path / "server.log"
    log.write_text(text)
    report = logscope.analyze(logscope.open_log(log)).data
    hold(report)
    return report


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.__name__)
def test_a_log_that_was_damaged_in_one_way_keeps_all_promises(mutation: Mutation, logs: Path, tmp_path: Path) -> None:
    text = (logs / "0.5.9-b-pool-full-retract.log").read_bytes()[:40_000]
    damaged = mutation(text, Random(7))
    assert damaged != text
    (tmp_path / "server.log").write_bytes(damaged)
    hold(logscope.analyze(logscope.open_log(tmp_path / "server.log")).data)


def test_the_same_number_makes_the_same_log_and_no_defect() -> None:
    assert tried(1, 0) == tried(1, 0)
    assert not tried(1, 0).defect


def test_a_number_beyond_what_a_column_holds_is_left_out_and_the_line_is_read(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(DECODE.format(second=0, rank="TP0", running=18446744073709551616))
    rows = logscope.open_log(log).tables["decode_batch"].to_pylist()
    assert [(row["running_requests"], row["used_tokens"]) for row in rows] == [(None, 10)]


@pytest.mark.parametrize("number", ["18446744073709551616", "9" * 400, "-" + "9" * 30])
def test_a_setting_that_is_too_large_to_compute_with_is_kept_as_its_text(tmp_path: Path, number: str) -> None:
    report = report_of(tmp_path, DUMP.format(tp=number, fraction=number))
    arguments = report["launches"][0]["arguments"]
    assert arguments == {"model_path": "m", "tp_size": number, "mem_fraction_static": number}


def test_two_dumps_on_one_line_begin_one_launch(tmp_path: Path) -> None:
    dump = DUMP.format(tp=1, fraction=0.8).rstrip("\n")
    failed = "[2026-01-01 10:00:00 TP0] Scheduler hit an exception: Traceback (most recent call last):"
    report = report_of(tmp_path, f"{dump}{failed}{dump}\n" + DECODE.format(second=5, rank="TP0", running=1))
    spans = [(one["lines"]["first"]["line"], one["lines"]["last"]["line"]) for one in report["launches"]]
    assert all(first <= last for first, last in spans)


def test_the_last_decode_line_may_lack_its_number(tmp_path: Path) -> None:
    lines = [DECODE.format(second=n, rank="TP0", running=n + 1) for n in range(4)]
    (tmp_path / "server.log").write_text("".join([*lines, lines[0].replace("#running-req: 1, ", "")]))
    (launch,) = logscope.open_log(tmp_path / "server.log").launches
    assert running_at_end(launch) == 4


def test_ranks_with_and_without_numbers_stand_beside_each_other(logs: Path) -> None:
    report = logscope.analyze(logscope.open_log(logs / "story-1-third-start-at-04.log")).data
    (launch,) = report["launches"]
    phase = next(one for one in launch["phases"] if one["rank"] != "main")
    launch["phases"] += [{**phase, "rank": rank} for rank in ("TP10", "worker", "TP2", "DP1 TP0")]
    hold(report)
