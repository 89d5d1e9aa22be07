"""Streams that a shell closed, file names that are no text, Ctrl-C: the real command, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

REAL = "0.5.23-cpu-forward-out-of-memory.log"
MAIN = "from logscope.cli import main; main()"
COMMAND = [sys.executable, "-m", "logscope"]


def shell(line: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A line of the shell in which `"$@"` is logscope with these arguments."""
    words = ["sh", "-c", line, "sh", *COMMAND, *map(os.fspath, map(str, arguments))]
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("command", [["analyze"], ["redact"], ["scan"], ["query", "select 1 as one"]])
def test_a_closed_stdout_is_said_in_one_line(command: list[str], logs: Path) -> None:
    ran = shell('"$@" >&-', *command, logs / REAL)
    assert (ran.returncode, ran.stderr) == (2, "logscope: Bad file descriptor\n")


def test_a_full_disk_is_said_in_one_line(logs: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    ran = shell('"$@" > /dev/full', "analyze", logs / REAL)
    assert (ran.returncode, ran.stderr) == (2, "logscope: No space left on device\n")


def test_closed_streams_that_are_not_needed_do_no_harm(logs: Path, tmp_path: Path) -> None:
    ran = shell('"$@" <&- >&- 2>&-', "analyze", logs / REAL, "-o", tmp_path / "report.txt")
    assert ran.returncode == 1
    assert "forward_out_of_memory" in (tmp_path / "report.txt").read_text(encoding="utf-8")


def test_a_closed_stdin_cannot_be_read() -> None:
    ran = shell('"$@" <&-', "analyze", "-")
    assert (ran.returncode, ran.stderr) == (2, "logscope: Bad file descriptor\n")


@pytest.fixture
def odd(logs: Path, tmp_path: Path) -> bytes:
    """A log whose name is no UTF-8 and holds a line end."""
    path = os.fsencode(tmp_path) + b"/f\xff\n.log"
    try:
        with open(path, "wb") as file:  # noqa: PTH123  pathlib takes no bytes
            file.write((logs / REAL).read_bytes())
    except OSError:
        pytest.skip("this file system takes only names of UTF-8")
    return path


@pytest.mark.parametrize("form", ["text", "json", "html", "md", "line", "sarif", "junit", "trace", "github"])
def test_a_file_name_that_is_no_text_stands_in_every_format(odd: bytes, form: str) -> None:
    ran = subprocess.run([*COMMAND, "analyze", odd, "-f", form], capture_output=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert ran.stdout.decode()


@pytest.mark.parametrize("command", [["scan"], ["query", "select path from runs"], ["redact"]])
def test_every_command_reads_a_file_whose_name_is_no_text(odd: bytes, command: list[str]) -> None:
    ran = subprocess.run([*COMMAND, *command, odd], capture_output=True, timeout=120)
    assert ran.returncode == (1 if command == ["scan"] else 0), ran.stderr
    assert b"internal" not in ran.stdout + ran.stderr


def test_ctrl_c_during_a_query_ends_with_130(logs: Path) -> None:
    sql = "select count(*) from range(10000000) a, range(1000000) b"
    script = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {MAIN}"  # a job may ignore it
    running = subprocess.Popen(
        [sys.executable, "-c", script, "query", sql, logs / REAL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)  # the log is read by then, and the query takes hours
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err.strip()) == (130, "", "logscope: interrupted")


def test_ctrl_c_inside_a_finalizer_is_heard() -> None:
    """Python prints what a finalizer raises, and goes on."""
    script = """
import signal, time
from logscope.cli._failure import heed_interruptions

class Finalized:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)

signal.signal(signal.SIGINT, signal.default_int_handler)
heed_interruptions()
Finalized()
time.sleep(60)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30)
    assert ran.returncode == -signal.SIGINT
    assert "Exception ignored" not in ran.stderr


def test_a_terminal_of_ascii_gets_words_of_ascii(logs: Path) -> None:
    words = [*COMMAND, "whatif", logs / REAL, "--set", "mem_fraction_static=0.5"]
    said = subprocess.run(words, capture_output=True, timeout=60, env=os.environ | {"PYTHONIOENCODING": "ascii"}).stdout
    assert b" ... " in said
    assert b"\\u" not in said


def test_a_pipe_that_nobody_writes_to_is_said_to_be_waited_for(logs: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "server.log"
    os.mkfifo(pipe)
    with subprocess.Popen([*COMMAND, "analyze", pipe, "-f", "line"], stdout=-1, stderr=-1, text=True) as running:
        assert running.stdout
        assert running.stderr
        assert running.stderr.readline() == f"logscope: {pipe}: a named pipe that nobody writes to; waiting\n"
        pipe.write_bytes((logs / REAL).read_bytes())
        assert "forward_out_of_memory" in running.stdout.read()


@pytest.mark.parametrize("command", [["analyze"], ["watch"], ["query", "select 1"], ["redact"]])
def test_an_address_is_answered_with_what_reads_addresses(command: list[str]) -> None:
    ran = subprocess.run([*COMMAND, *command, "ftp://logs.example/a.log"], capture_output=True, text=True, timeout=60)
    assert ran.returncode in (2, 3)
    told = ("`logscope scan`", "needs logscope[", "ftp://logs.example/a.log: cannot be reached")
    assert any(part in ran.stderr for part in told), ran.stderr
