"""How the command line ends when something is wrong: one line, the right exit code, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from logscope.errors import LogUnreadable, OutputError, UsageError


def test_a_call_without_a_command_shows_the_help_and_is_a_usage_error(run: Callable[..., Any]) -> None:
    ran = run()
    assert ran.code == 2
    assert "analyze" in ran.out + ran.err


def test_an_unknown_command_is_a_usage_error(run: Callable[..., Any]) -> None:
    ran = run("analyse", "crash.log")
    assert ran.code == 2
    assert ran.err.startswith("logscope: No such command 'analyse'")
    assert ran.err.count("\n") == 1


def test_a_missing_argument_is_a_usage_error(run: Callable[..., Any]) -> None:
    ran = run("analyze")
    assert ran.code == 2
    assert "see logscope analyze --help" in ran.err


@pytest.mark.parametrize(("error", "code"), [(LogUnreadable, 3), (UsageError, 2), (OutputError, 2)])
def test_an_error_of_the_library_is_one_line(
    run: Callable[..., Any], library: Any, error: type[Exception], code: int
) -> None:
    library.error = error("crash.log:\nnot\n  readable")
    ran = run("tables", "crash.log", "-o", "nowhere")
    assert (ran.code, ran.err) == (code, "logscope: crash.log: not readable\n")


def test_a_defect_is_told_apart_from_findings_and_shows_no_traceback(run: Callable[..., Any], library: Any) -> None:
    library.error = ZeroDivisionError("division by zero")
    ran = run("analyze", "crash.log")
    assert ran.code == 70
    assert "Traceback" not in ran.err
    assert ran.err.startswith("logscope: internal error, ZeroDivisionError: division by zero")


def test_the_traceback_is_shown_on_demand(
    run: Callable[..., Any], library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGSCOPE_DEBUG", "1")
    library.error = ZeroDivisionError("division by zero")
    assert "Traceback" in run("analyze", "crash.log").err


def test_an_interruption_ends_with_130(run: Callable[..., Any], library: Any) -> None:
    library.error = KeyboardInterrupt()
    ran = run("analyze", "crash.log")
    assert ran.code == 130
    assert ran.err.strip() == "logscope: interrupted"


def test_a_reader_that_goes_away_is_no_error() -> None:
    writer = "import sys; from logscope.cli import main; main(['schema'])"
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(0.3)\n" + writer],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), said) == (141, b"")


def test_the_version_is_printed(run: Callable[..., Any]) -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out.startswith("logscope 0.")


def test_the_shell_can_complete_commands() -> None:
    environment = os.environ | {"_LOGSCOPE_COMPLETE": "bash_complete", "COMP_WORDS": "logscope ana", "COMP_CWORD": "1"}
    ran = subprocess.run([sys.executable, "-m", "logscope"], capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "plain,analyze\n", "")
