"""`logscope watch` as a process of its own, on files that another one writes, with a real receiver for what it posts."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from logscope.cli._delivery import VARIABLES, environment_of, to_command, to_url
from logscope.errors import UsageError

CRASH = "0.5.9-x-scheduler-exception-injected.log"
STOP = "0.5.9-a-clean-sigterm.log"
WAIT_S = 90  # on two busy cores


@dataclass
class Watching:
    """A running `logscope watch --format json`."""

    process: subprocess.Popen[bytes]
    lines: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def until(self, ready: Callable[[], object]) -> None:
        end = time.monotonic() + WAIT_S
        while not ready():
            assert self.process.poll() is None or ready(), (self.lines, self.errors)
            assert time.monotonic() < end, (self.lines, self.errors)
            time.sleep(0.05)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(WAIT_S)


@pytest.fixture
def watch() -> Iterator[Callable[..., Watching]]:
    running: list[subprocess.Popen[bytes]] = []

    def start(*arguments: object, **options: Any) -> Watching:
        words = [sys.executable, "-m", "logscope", "watch", "-f", "json", "--interval", "0.05", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen(words, **pipes)
        running.append(process)
        made = Watching(process)
        threading.Thread(target=lambda: made.lines.extend(map(json.loads, process.stdout)), daemon=True).start()
        threading.Thread(target=lambda: made.errors.extend(map(bytes.decode, process.stderr)), daemon=True).start()
        return made

    yield start
    for process in running:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()


def written(path: Path, data: bytes, pieces: int = 20) -> None:
    """Append in pieces that end anywhere."""
    step = len(data) // pieces + 1
    with path.open("ab", buffering=0) as opened:
        for start in range(0, len(data), step):
            opened.write(data[start : start + step])
            time.sleep(0.02)


def events(found: Watching) -> list[tuple[str, str]]:
    return [(line["event"], line["cause"]) for line in found.lines]


def test_a_crash_at_the_end_of_a_growing_log_is_one_verdict_and_ctrl_c_ends_with_130(
    watch: Callable[..., Watching], tmp_path: Path, logs: Path
) -> None:
    data = (logs / CRASH).read_bytes()
    log = tmp_path / "server.log"
    log.write_bytes(data[:9000])
    found = watch(log, "--settle", "1")
    found.until(lambda: any("following" in line for line in found.errors))
    written(log, data[9000:])
    found.until(lambda: found.lines)
    assert events(found) == [("died", "server_defect")]
    (verdict,) = found.lines
    assert (verdict["path"], verdict["launch"], verdict["time"]) == (str(log), 0, "2026-11-29T12:39:00")
    assert verdict["evidence"][0]["text"] in data.decode()
    assert found.stop() == 130
    assert len(found.lines) == 1


def test_what_happened_before_is_only_told_of_when_asked(
    watch: Callable[..., Watching], tmp_path: Path, logs: Path
) -> None:
    log = tmp_path / "server.log"
    log.write_bytes((logs / CRASH).read_bytes())
    silent, asked = watch(log), watch(log, "--since-start", "--settle", "0.1")
    asked.until(lambda: asked.lines)
    silent.until(lambda: silent.errors)
    assert "ready_then_crashed, server_defect" in silent.errors[0]
    written(log, (logs / STOP).read_bytes())
    for found in (asked, silent):
        found.until(lambda found=found: ("stopped", "stopped_on_request") in events(found))  # type: ignore[misc]
    assert events(asked) == [("died", "server_defect"), ("stopped", "stopped_on_request")]
    assert events(silent) == [("stopped", "stopped_on_request")]


def test_a_directory_with_rotation_and_truncation_tells_of_each_launch_once(
    watch: Callable[..., Watching], tmp_path: Path, logs: Path
) -> None:
    crash, stop = (logs / CRASH).read_bytes(), (logs / STOP).read_bytes()
    found = watch(tmp_path, "--settle", "1")
    found.until(lambda: any("0 logs so far" in line for line in found.errors))
    log = tmp_path / "server.log"
    written(log, crash)
    found.until(lambda: len(found.lines) == 1)
    log.rename(tmp_path / "server.log.1")
    written(log, stop)
    found.until(lambda: len(found.lines) == 2)
    (tmp_path / "server.log.2").write_bytes(stop)
    os.truncate(log, 0)
    written(log, crash)
    found.until(lambda: len(found.lines) == 3)
    assert found.stop() == 130
    assert events(found) == [
        ("died", "server_defect"),
        ("stopped", "stopped_on_request"),
        ("died", "server_defect"),
    ]
    assert {line["path"] for line in found.lines} == {str(log)}


def test_ctrl_c_tells_how_a_running_server_stands(watch: Callable[..., Watching], tmp_path: Path, logs: Path) -> None:
    data = (logs / CRASH).read_bytes()
    log = tmp_path / "server.log"
    log.write_bytes(data[: data.index(b"Traceback")].rpartition(b"\n")[0] + b"\n")
    found = watch(log)
    found.until(lambda: found.errors)
    assert found.stop() == 130
    found.until(lambda: found.lines)
    assert [(line["event"], line["state"]) for line in found.lines] == [("last", "ready")]


def test_stdin_is_followed_to_its_end(watch: Callable[..., Watching], logs: Path) -> None:
    found = watch("-", stdin=subprocess.PIPE)
    assert found.process.stdin
    found.process.stdin.write((logs / CRASH).read_bytes())
    found.process.stdin.close()
    assert found.process.wait(WAIT_S) == 1
    found.until(lambda: found.lines)
    assert events(found) == [("died", "server_defect")]


def once(*arguments: object) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "logscope", "watch", "--once", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=WAIT_S)


def test_once_judges_what_is_there(logs: Path, tmp_path: Path) -> None:
    ran = once(logs / CRASH)
    assert (ran.returncode, ran.stdout.count("\n")) == (1, 1)
    assert ran.stdout.startswith("2026-11-29T12:39:00 died: ")
    assert once(logs / STOP).returncode == 0
    assert "crashed while serving" in once(logs / CRASH, "-f", "text").stdout
    assert once(tmp_path).returncode == 3
    (tmp_path / "other.log").write_text("12:00:00 this is not the log of a server\n")
    assert once(tmp_path).returncode == 3


def test_a_command_gets_the_verdict_on_its_stdin_and_in_its_environment(logs: Path, tmp_path: Path) -> None:
    script = tmp_path / "alert.sh"
    script.write_text('#!/bin/sh\ncat > "$1"\necho "$LOGSCOPE_EVENT $LOGSCOPE_CAUSE" >> "$1"\necho noise\n')
    script.chmod(0o755)
    ran = once(logs / CRASH, "-f", "json", "--command", f"{script} {tmp_path}/'got $(id)'")
    text, last = (tmp_path / "got $(id)").read_text().splitlines()
    assert json.loads(text) == json.loads(ran.stdout)
    assert last == "died server_defect"
    assert "noise" in ran.stderr


def test_a_command_that_fails_or_hangs_stops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for command, seconds in (("false", 5.0), ("sleep 60", 0.2)):
        delivery = to_command(command, seconds=seconds)
        delivery.give({"event": "died"})
        delivery.close(WAIT_S)
    errors = capsys.readouterr().err
    assert "false: ended with 1" in errors
    assert "sleep: took longer than 0.2 s" in errors


def test_a_command_that_is_not_there_is_refused_at_once(logs: Path) -> None:
    ran = once(logs / CRASH, "--command", "no-such-program now")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no such program" in ran.stderr


def test_no_text_of_a_log_can_break_the_environment() -> None:
    made = environment_of({"event": "died", "sentence": "a\0b \ud800", "cause": "x", "findings": [{"rule": "MEM101"}]})
    assert made["LOGSCOPE_SENTENCE"] == "ab ?"
    assert made["LOGSCOPE_RULES"] == "MEM101"


def test_no_variable_of_a_command_is_a_setting() -> None:
    from logscope.cli import logscope as group
    from logscope.cli._settings import options_of

    keys = {f"LOGSCOPE_{key}".upper() for own in options_of(group).values() for key in own}
    assert not keys & {*VARIABLES, "LOGSCOPE_RULES"}


@dataclass
class Receiver:
    url: str = ""
    answers: list[int] = field(default_factory=list)  # one after the other; then 200
    got: list[dict[str, Any]] = field(default_factory=list)
    calls: int = 0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            made.calls += 1
            body = self.rfile.read(int(self.headers["Content-Length"]))
            code = made.answers.pop(0) if made.answers else 200
            if code == 200:
                made.got.append(json.loads(body))
            self.send_response(code)
            if code in (301, 302):
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    made.url = f"http://127.0.0.1:{server.server_port}/hook?token=secret"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_verdict_is_posted_as_json(logs: Path, receiver: Receiver) -> None:
    ran = once(logs / CRASH, "-f", "json", "--post", receiver.url)
    assert receiver.got == [json.loads(ran.stdout)]
    assert ran.stderr == ""


def posted(url: str, **options: Any) -> None:
    delivery = to_url(url, pause_s=0.01, **options)
    delivery.give({"event": "died"})
    delivery.close(WAIT_S)


def test_a_receiver_that_is_not_well_is_tried_again(receiver: Receiver, capsys: pytest.CaptureFixture[str]) -> None:
    receiver.answers = [500, 503, 429]
    posted(receiver.url)
    assert (receiver.calls, receiver.got) == (4, [{"event": "died"}])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("answers", "calls"), [([500] * 9, 5), ([404], 1), ([302], 1)])
def test_a_receiver_that_refuses_is_told_of_and_no_redirect_is_followed(
    receiver: Receiver, capsys: pytest.CaptureFixture[str], answers: list[int], calls: int
) -> None:
    receiver.answers = list(answers)
    posted(receiver.url)
    assert (receiver.calls, receiver.got) == (calls, [])
    errors = capsys.readouterr().err
    assert f"answered {answers[0]}" in errors
    assert "secret" not in errors


def test_a_receiver_that_hangs_does_not_hold_up_following(
    watch: Callable[..., Watching], tmp_path: Path, logs: Path
) -> None:
    with contextlib.closing(socket.socket()) as hanging:
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        log = tmp_path / "server.log"
        log.touch()
        found = watch(log, "--settle", "0.5", "--post", f"http://127.0.0.1:{hanging.getsockname()[1]}/")
        found.until(lambda: found.errors)
        written(log, (logs / CRASH).read_bytes())
        found.until(lambda: len(found.lines) == 1)
        start = time.monotonic()
        written(log, (logs / STOP).read_bytes())
        found.until(lambda: len(found.lines) == 2)
        assert time.monotonic() - start < WAIT_S / 2


def test_a_receiver_that_never_answers_is_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.closing(socket.socket()) as hanging:
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        posted(f"http://127.0.0.1:{hanging.getsockname()[1]}/", seconds=0.1, attempts=2)
    assert "timed out; a verdict was not delivered (2 attempts)" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/", "http://", "host/path", "http://[::1"])
def test_only_http_addresses_are_taken(url: str) -> None:
    with pytest.raises(UsageError, match="--post"):
        to_url(url)


def test_verdicts_that_pile_up_are_let_go_of_and_never_hold_up_the_giver(capsys: pytest.CaptureFixture[str]) -> None:
    from logscope.cli._delivery import Delivery

    go, sent = threading.Event(), []
    delivery = Delivery("slow", lambda verdict: (go.wait(WAIT_S), sent.append(verdict["launch"]))[0])
    for number in range(150):
        delivery.give({"launch": number})
    go.set()
    delivery.close(WAIT_S)
    assert sent[-1] == 149
    assert 100 <= len(sent) <= 102
    assert "too slow" in capsys.readouterr().err
