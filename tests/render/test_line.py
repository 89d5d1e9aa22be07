"""One line for chat and alerts."""

from __future__ import annotations

from logscope.render.line import line


def test_it_is_one_line_of_bounded_length(any_report: dict) -> None:
    said = line(any_report)
    assert said.count("\n") == 1
    assert len(said.splitlines()) == 1
    assert len(said) < 2500 or "x" * 1000 in said


def test_it_names_file_end_cause_confidence_direction_line_and_release(kept_report: dict) -> None:
    said = line(kept_report)
    verdict = kept_report["verdict"]
    assert said.startswith(kept_report["inputs"][0]["path"] + ": ")
    assert f"{verdict['cause']} ({verdict['confidence']}): " in said
    assert f"{verdict['fraction']} --mem-fraction-static" in said
    assert f"line {verdict['evidence'][0]['line']}" in said
    assert "SGLang 0.5." in said


def test_several_files_are_counted(kept_report: dict) -> None:
    kept_report["inputs"] *= 3
    first = kept_report["verdict"]["evidence"][0]
    assert " and 2 more: " in line(kept_report)
    assert f"{first['path']}:{first['line']}" in line(kept_report)


def test_what_could_not_be_read_is_named(empty_report: dict) -> None:
    empty_report["verdict"]["missing"] = ["gone.log: there is no such file"]
    said = line(empty_report)
    assert said.startswith("no log: ")
    assert "gone.log: there is no such file" in said
