"""The command of a report is one that can be pasted on each machine, and what is said of it agrees with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import logscope
from logscope.render import _wording as words
from logscope.render.html import html

CAPPED = "0.5.23-cpu-forward-out-of-memory.log"


def report(*paths: Path) -> dict[str, Any]:
    return dict(logscope.analyze(logscope.open_log(list(paths))).data)


def test_a_command_for_several_nodes_leaves_the_rank_of_the_node_blank(logs: Path) -> None:
    folder = logs / "joined/two-nodes"
    verdict = report(folder / "node0.log", folder / "node1.log")["verdict"]
    assert "--nnodes 2 --node-rank NODE_RANK " in verdict["command"]


def test_a_command_for_one_machine_names_no_node(logs: Path) -> None:
    assert "node-rank" not in report(logs / CAPPED)["verdict"]["command"]


def test_the_end_of_the_range_is_told_alike_by_the_range_the_action_and_the_command(logs: Path) -> None:
    folder = logs / "joined/two-nodes"
    found = report(folder / "node0.log", folder / "node1.log")
    assert words.direction(found) == "lower --mem-fraction-static from 0.88 to at most 0.86"
    assert found["verdict"]["actions"][0]["do"].startswith("Lower --mem-fraction-static to at most 0.86 ")
    assert "--mem-fraction-static 0.86 " in found["verdict"]["command"]


def test_where_a_cap_sets_the_pool_the_cap_is_what_is_to_be_lowered(logs: Path) -> None:
    found = report(logs / CAPPED)
    told = words.direction(found)
    assert told == "lower --max-total-tokens: --mem-fraction-static, now 0.461, helps only below 0.004"
    assert "changes nothing until it is below 0.004" in found["verdict"]["sentence"]
    assert "<code>--max-total-tokens</code> instead of <code>--mem-fraction-static</code>" in html(found)


def test_what_ran_long_before_the_failure_is_not_to_be_reduced(logs: Path) -> None:
    verdict = report(logs / CAPPED)["verdict"]
    assert not any("--max-running-requests" in action["do"] for action in verdict["actions"])
    folder = logs / "joined/two-nodes"
    busy = report(folder / "node0.log", folder / "node1.log")["verdict"]
    assert any("--max-running-requests to 11" in action["do"] for action in busy["actions"])


def test_a_change_that_the_command_leaves_out_is_marked(logs: Path, tmp_path: Path) -> None:
    alone = report(logs / CAPPED)
    assert "--max-total-tokens 100000 " in alone["verdict"]["command"]
    assert not any(action.get("alternative") for action in alone["verdict"]["actions"])
    path = tmp_path / "busy.log"
    path.write_text((logs / CAPPED).read_text().replace("#running-req: 1,", "#running-req: 4,"))
    busy = report(path)
    assert "--max-running-requests 3 --max-total-tokens 200000 " in busy["verdict"]["command"]
    assert [a["set"]["flag"] for a in busy["verdict"]["actions"] if a.get("alternative")] == ["--max-total-tokens"]
    assert "which the command below does not take" in html(busy)
