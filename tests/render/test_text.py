"""The report on a terminal."""

from __future__ import annotations

import copy
import shlex

import pytest

from logscope.render.text import text

COMMAND = "python -m sglang.launch_server --model-path /models/m --json-model-override-args '{\"a b\": 1}' --tp-size 8"


@pytest.mark.parametrize("width", [80, 100, 120])
def test_every_report_fits_one_screen(any_report: dict, width: int) -> None:
    rows = text(any_report, width).splitlines()
    assert len(rows) <= 40
    assert max(map(len, rows)) <= width


def test_the_first_row_says_the_end_the_cause_and_how_sure_it_is(kept_report: dict) -> None:
    first = text(kept_report, 80).splitlines()[0]
    assert first.split("  ")[0] in ("CRASHED WHILE SERVING", "FAILED TO START")
    assert f"{kept_report['verdict']['cause']} (certain)" in first


def test_the_screen_holds_direction_proof_actions_and_what_is_missing(kept_report: dict) -> None:
    screen = text(kept_report, 80)
    verdict = kept_report["verdict"]
    assert f"{verdict['fraction']} --mem-fraction-static from " in screen
    assert f"line {verdict['evidence'][0]['line']}" in screen
    assert all(action["do"] in screen for action in verdict["actions"][:3])
    assert verdict["ruled_out"][0]["cause"] in screen
    assert verdict["missing"][0] in screen
    assert "lines: " in screen


def test_the_numbers_of_a_contradiction_are_shown_with_the_gap(kept_report: dict) -> None:
    assert "gap " in text(kept_report, 80)


def test_a_log_without_fault_says_so_and_leaves_the_fraction(empty_report: dict) -> None:
    empty_report["verdict"] |= {"cause": "healthy", "confidence": "likely", "sentence": "The server is well."}
    screen = text(empty_report, 80)
    assert screen.startswith("NOTHING IS WRONG IN THIS LOG  healthy (likely)\n")
    assert "leave --mem-fraction-static: it is not the knob" in screen


def test_several_files_are_told_apart_in_the_proof(kept_report: dict) -> None:
    kept_report["inputs"].append(copy.deepcopy(kept_report["inputs"][0]))
    first = kept_report["verdict"]["evidence"][0]
    assert f"{first['path']}:{first['line']}" in text(kept_report, 100)


def test_colour_changes_the_look_and_no_word(kept_report: dict) -> None:
    import re

    coloured = text(kept_report, 80, color=True)
    assert "\x1b[" in coloured
    bare = [row.rstrip() for row in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()]
    assert bare == [row.rstrip() for row in text(kept_report, 80).splitlines()]


def test_many_of_everything_still_fits_and_the_rest_is_counted(kept_report: dict) -> None:
    verdict = kept_report["verdict"]
    for name in ("actions", "evidence", "ruled_out"):
        verdict[name] = verdict[name] * 50
    verdict["missing"] = ["something that would have told"] * 50
    screen = text(kept_report, 80)
    assert len(screen.splitlines()) <= 40
    assert " of 150)" in screen
    assert " more)" in screen


def test_a_place_that_is_too_long_loses_its_beginning_and_never_its_line(kept_report: dict) -> None:
    path = f"/var/log/{'deep/' * 20}node0.log"
    kept_report["inputs"] = [{"path": path}, {"path": "/srv/node1.log"}]
    kept_report["verdict"]["evidence"] = [{"path": path, "line": 1234567, "text": "the line"}]
    assert "deep/node0.log:1234567  the line" in text(kept_report, 80)


def test_the_directory_that_all_files_share_is_said_once(kept_report: dict) -> None:
    paths = ["/logs/incident/a/node0.log", "/logs/incident/b/node1.log"]
    kept_report["inputs"] = [{"path": path} for path in paths]
    kept_report["verdict"]["evidence"] = [{"path": path, "line": 7, "text": "the line"} for path in paths]
    screen = text(kept_report, 80)
    assert " a/node0.log:7  the line\n b/node1.log:7  the line" in screen
    assert screen.count("/logs/incident/") == 1


def test_why_files_are_one_launch_and_others_are_not_is_said(kept_report: dict) -> None:
    kept_report["inputs"] = [{"path": f"/logs/node{n}.log"} for n in range(3)]
    launch = next(one for one in kept_report["launches"] if one["id"] == kept_report["verdict"]["launch"])
    launch["joined_because"] = "/logs/node0.log and /logs/node1.log are node_rank 0 and 1"
    launch["kept_apart"] = [{"path": "/logs/node2.log", "why": "another model"}]
    screen = text(kept_report, 100, height=60)
    assert "FILES     node0.log and node1.log are node_rank 0 and 1\n" in screen
    assert "not node2.log: another model" in screen


@pytest.mark.parametrize("width", [60, 100])
def test_the_new_command_is_shown_so_that_a_shell_reads_it_as_it_is(kept_report: dict, width: int) -> None:
    kept_report["verdict"]["command"] = COMMAND
    screen = text(kept_report, width, height=80)
    pasted = screen.partition("COMMAND (the old one with the changes)\n")[2].partition("\n\n")[0]
    assert shlex.split(pasted.replace("\\\n", "")) == shlex.split(COMMAND)


@pytest.mark.parametrize(
    "command", ["python " + "x" * 90, "python -m " + "--flag value " * 300, "python 'never closed"]
)
def test_a_command_that_does_not_fit_is_never_shown_in_part(kept_report: dict, command: str) -> None:
    kept_report["verdict"]["command"] = command
    screen = text(kept_report, 80)
    assert "COMMAND   ready to copy in every other format" in screen
    assert "python" not in screen.partition("COMMAND")[2]


def test_every_finding_is_shown_or_counted(kept_report: dict) -> None:
    one = kept_report["findings"][0] | {"rule": "ABC101", "severity": "note", "role": "context", "message": "more"}
    kept_report["findings"] = [one] * 50
    screen = text(kept_report, 100)
    assert "50 findings (50 notes)" in screen
    assert f"ALSO FOUND ({screen.count('note ABC101')} of 50)" in screen


def test_the_finding_that_is_the_verdict_is_not_said_twice(kept_report: dict) -> None:
    verdict = kept_report["verdict"]
    own = {
        "id": 0,
        "rule": verdict["cause"],
        "launches": [verdict["launch"]],
        "severity": "error",
        "message": "told once more",
    }
    kept_report["findings"] = [own]
    screen = text(kept_report, 100)
    assert "told once more" not in screen
    assert "1 finding (1 error)" in screen


def test_the_sentence_of_the_verdict_is_whole(kept_report: dict) -> None:
    sentence = " ".join(f"word{n}" for n in range(70))
    kept_report["verdict"]["sentence"] = sentence
    assert sentence in " ".join(text(kept_report, 80).split())
