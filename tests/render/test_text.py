"""The report on a terminal."""

from __future__ import annotations

import copy

import pytest

from logscope.render.text import text


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
