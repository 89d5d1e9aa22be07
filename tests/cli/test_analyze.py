"""What `logscope analyze` prints, where it writes, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_the_verdict_is_printed_as_text_when_nothing_else_is_asked_for(run: Callable[..., Any], library: Any) -> None:
    ran = run("analyze", "crash.log")
    assert (ran.code, ran.out, ran.err) == (0, "text: Nothing is wrong.\n", "")


@pytest.mark.parametrize(
    ("severity", "fail_on", "code"),
    [
        ("error", "error", 1),
        ("warning", "error", 0),
        ("warning", "warning", 1),
        ("note", "warning", 0),
        ("note", "note", 1),
        ("error", "never", 0),
    ],
)
def test_the_exit_code_is_one_from_the_severity_on_that_is_asked_for(
    run: Callable[..., Any], library: Any, severity: str, fail_on: str, code: int
) -> None:
    library.find(severity)
    assert run("analyze", "crash.log", "--fail-on", fail_on).code == code


def test_findings_of_error_severity_fail_by_default(run: Callable[..., Any], library: Any) -> None:
    library.find("error")
    assert run("analyze", "crash.log").code == 1


def test_exit_zero_hides_findings(run: Callable[..., Any], library: Any) -> None:
    library.find("error")
    assert run("analyze", "crash.log", "--exit-zero").code == 0


def test_exit_zero_does_not_hide_that_nothing_was_recognised(run: Callable[..., Any], library: Any) -> None:
    library.report["coverage"]["recognised"] = 0
    ran = run("analyze", "other.log", "--exit-zero")
    assert ran.code == 3
    assert ran.out == "text: Nothing is wrong.\n"
    assert "none of the 3 lines is one that SGLang prints" in ran.err


def test_strict_ends_with_four_for_lines_that_were_not_understood(run: Callable[..., Any], library: Any) -> None:
    library.report["coverage"]["unread"] = 2
    assert run("analyze", "crash.log").code == 0
    ran = run("analyze", "crash.log", "--strict")
    assert ran.code == 4
    assert ran.err == "logscope: 2 lines were not understood (--strict)\n"


def test_strict_ends_with_four_for_unknown_keys(run: Callable[..., Any], library: Any) -> None:
    library.report["coverage"]["unknown_keys"] = [{"family": "decode_batch", "key": "#new-thing", "count": 4}]
    ran = run("analyze", "crash.log", "--strict", "--exit-zero")
    assert ran.code == 4
    assert ran.err == "logscope: unknown keys (--strict): decode_batch #new-thing\n"


def test_one_format_without_output_goes_to_stdout(run: Callable[..., Any], library: Any) -> None:
    assert run("analyze", "crash.log", "--format", "html").out == "html: Nothing is wrong.\n"


def test_several_formats_are_written_into_a_directory(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    ran = run("analyze", "crash.log", "-f", "html", "-f", "md", "-f", "line", "-o", tmp_path / "out")
    assert (ran.code, ran.out) == (0, "")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["report.html", "report.line.txt", "report.md"]


def test_several_formats_need_a_directory(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    ran = run("analyze", "crash.log", "-f", "html", "-f", "md")
    assert (ran.code, ran.err) == (2, "logscope: 2 formats need a directory: add -o DIR/\n")
    (tmp_path / "file").write_text("kept")
    ran = run("analyze", "crash.log", "-f", "html", "-f", "md", "-o", tmp_path / "file")
    assert ran.code == 2
    assert (tmp_path / "file").read_text() == "kept"
    assert not library.asked, "the log was read before the output was checked"


@pytest.mark.parametrize("name", ["single.html", "report.json", "REPORT.MD", "notes.txt"])
def test_several_formats_are_not_written_under_the_name_of_one_file(
    run: Callable[..., Any], library: Any, tmp_path: Path, name: str
) -> None:
    ran = run("analyze", "crash.log", "-f", "html", "-f", "md", "-o", tmp_path / name)
    assert ran.code == 2
    assert f"{name} is a file: add -o DIR/" in ran.err
    assert not list(tmp_path.iterdir())
    assert not library.asked


def test_a_name_that_ends_with_a_slash_is_a_directory_also_for_one_format(
    run: Callable[..., Any], library: Any, tmp_path: Path
) -> None:
    ran = run("analyze", "crash.log", "-f", "md", "-o", f"{tmp_path}/new/deep/")
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / "new/deep/report.md").read_text() == "md: Nothing is wrong."


def test_what_was_written_is_said_in_one_line_on_stderr(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    assert run("analyze", "crash.log", "-o", tmp_path / "x.html").err == f"logscope: wrote {tmp_path}/x.html\n"
    ran = run("analyze", "crash.log", "-f", "html", "-f", "md", "-o", tmp_path / "out")
    assert ran.err == f"logscope: wrote {tmp_path}/out/report.html, {tmp_path}/out/report.md\n"
    assert run("analyze", "crash.log", "-o", "/dev/null").err == ""


def test_the_format_is_told_by_the_name_of_the_output(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    run("analyze", "crash.log", "-o", tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text() == "html: Nothing is wrong."
    run("analyze", "crash.log", "-o", tmp_path / "x.line.txt")
    assert (tmp_path / "x.line.txt").read_text() == "line: Nothing is wrong."
    for name in ("x", "x.txt", "x.log"):
        run("analyze", "crash.log", "-o", tmp_path / name)
        assert (tmp_path / name).read_text() == "text: Nothing is wrong."


def test_an_output_named_for_no_format_is_refused_unless_one_is_asked_for(
    run: Callable[..., Any], library: Any, tmp_path: Path
) -> None:
    ran = run("analyze", "crash.log", "-o", tmp_path / "x.pdf")
    assert ran.code == 2
    assert ".pdf is the suffix of no format; choose one of html, json, line, md, text with -f" in ran.err
    assert not (tmp_path / "x.pdf").exists()
    assert run("analyze", "crash.log", "-f", "md", "-o", tmp_path / "x.pdf").code == 0


@pytest.mark.parametrize(("typed", "said"), [("--nope", "no such option --nope;"), ("--formt", "mean --format?")])
def test_only_an_option_that_is_alike_is_proposed(run: Callable[..., Any], typed: str, said: str) -> None:
    ran = run("analyze", typed, "crash.log")
    assert ran.code == 2
    assert said in ran.err
    assert "--since" not in ran.err


def test_a_page_is_not_written_onto_a_terminal(
    run: Callable[..., Any], library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = run("analyze", "crash.log", "--format", "html")
    assert ran.code == 2
    assert "add -o report.html" in ran.err


def test_an_unknown_format_is_answered_with_the_known_ones(run: Callable[..., Any], library: Any) -> None:
    ran = run("analyze", "crash.log", "--format", "docx")
    assert ran.code == 2
    assert "'docx' is not a format; there are html, json, line, md, text" in ran.err


def test_a_missing_log_is_one_line_and_exit_code_three(run: Callable[..., Any], library: Any) -> None:
    library.unreadable = {"gone.log"}
    ran = run("analyze", "gone.log")
    assert (ran.code, ran.out, ran.err) == (3, "", "logscope: gone.log does not exist\n")


def test_a_report_is_printed_for_programs_even_when_nothing_could_be_read(
    run: Callable[..., Any], library: Any
) -> None:
    library.unreadable = {"gone.log"}
    ran = run("analyze", "gone.log", "--format", "json")
    assert ran.code == 3
    assert ran.out == "json: No log could be read, so nothing can be said.\n"


def test_the_logs_that_can_be_read_are_analysed_when_others_cannot(run: Callable[..., Any], library: Any) -> None:
    library.unreadable = {"gone.log", "lost.log"}
    ran = run("analyze", "gone.log", "node0.log", "lost.log", "node1.log")
    assert (ran.code, ran.out) == (4, "text: Nothing is wrong.\n")
    assert library.asked[-1][0] == ["node0.log", "node1.log"]


def test_options_of_reading_reach_the_library(run: Callable[..., Any], library: Any) -> None:
    run("analyze", "crash.log", "--since", "12:00", "--until", "13:00", "--tz", "Europe/Berlin", "--show-prompts")
    reading = {"since": "12:00", "until": "13:00", "tz": "Europe/Berlin", "show_prompts": True}
    assert library.asked == [(["crash.log"], reading)]


def test_prompts_are_hidden_unless_asked_for(run: Callable[..., Any], library: Any) -> None:
    run("analyze", "crash.log")
    assert library.asked[0][1]["show_prompts"] is False


def test_an_output_in_a_directory_that_is_not_there_is_refused(
    run: Callable[..., Any], library: Any, tmp_path: Path
) -> None:
    ran = run("analyze", "crash.log", "-f", "md", "-o", tmp_path / "no" / "x.md")
    assert ran.code == 2
    assert "there is no directory" in ran.err


def test_no_draft_is_left_beside_a_report(run: Callable[..., Any], library: Any, tmp_path: Path) -> None:
    run("analyze", "crash.log", "-o", tmp_path / "x.md")
    assert [p.name for p in tmp_path.iterdir()] == ["x.md"]
