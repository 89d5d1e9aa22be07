"""Where a verdict goes besides stdout: to a command, to a URL. Each has a thread and a queue, so following never waits.

A command is run without a shell. A URL is http or https, and nothing else is ever opened: no redirect is followed.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from logscope.cli._failure import complain
from logscope.errors import UsageError
from logscope.version import VERSION

Send = Callable[[Mapping[str, Any]], None]
_WAITING = 100  # verdicts; when more wait, the oldest is let go of
_COMMAND_S = 60.0
_ANSWER_S = 10.0
_ATTEMPTS = 5
_FIRST_PAUSE_S = 1.0
_LATER = (408, 425, 429)  # answers that ask for another attempt, besides 5xx

VARIABLES: Mapping[str, str] = {
    "LOGSCOPE_EVENT": "event",
    "LOGSCOPE_LOG": "path",
    "LOGSCOPE_LAUNCH": "launch",
    "LOGSCOPE_STATE": "state",
    "LOGSCOPE_TIME": "time",
    "LOGSCOPE_CAUSE": "cause",
    "LOGSCOPE_CONFIDENCE": "confidence",
    "LOGSCOPE_FRACTION": "fraction",
    "LOGSCOPE_SENTENCE": "sentence",
    "LOGSCOPE_FINGERPRINT": "fingerprint",
}


class Delivery:
    """Gives verdicts to `send` one after the other, in a thread of its own."""

    def __init__(self, name: str, send: Send) -> None:
        self.name = name
        self._send = send
        self._waiting: queue.Queue[Mapping[str, Any] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def give(self, verdict: Mapping[str, Any]) -> None:
        """Take a verdict; returns at once."""
        if self._waiting.qsize() >= _WAITING:
            with contextlib.suppress(queue.Empty):
                self._waiting.get_nowait()
                complain(f"{self.name}: too slow, a verdict was not delivered")
        self._waiting.put(verdict)

    def close(self, seconds: float) -> None:
        """Wait at most so long for what is still to be delivered."""
        self._waiting.put(None)
        self._thread.join(seconds)
        if self._thread.is_alive():
            complain(f"{self.name}: gave up after {seconds:g} s, not everything was delivered")

    def _work(self) -> None:
        while (verdict := self._waiting.get()) is not None:
            try:
                self._send(verdict)
            except Exception as error:  # noqa: BLE001  whatever a receiver does, following goes on
                complain(f"{self.name}: {error}")


def encoded(verdict: Mapping[str, Any]) -> bytes:
    """One line of ASCII JSON, so that no text of a log can break out of it."""
    return json.dumps(verdict, allow_nan=False).encode() + b"\n"


def to_command(command: str, *, seconds: float = _COMMAND_S) -> Delivery:
    """Run a command for each verdict: JSON on its stdin, the main members in its environment, its output on stderr.

    Raises UsageError for a command that is not there.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--command {command!r}: {error}") from error
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"--command {command!r}: there is no such program; there is no shell either: use sh -c '…'")
    return Delivery(words[0], lambda verdict: _run(words, verdict, seconds))


def _run(words: list[str], verdict: Mapping[str, Any], seconds: float) -> None:
    environment = {**os.environ, **environment_of(verdict)}
    running = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=2, env=environment, start_new_session=True)
    try:
        running.communicate(encoded(verdict), timeout=seconds)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        complain(f"{words[0]}: took longer than {seconds:g} s and was ended")
        return
    if running.returncode:
        complain(f"{words[0]}: ended with {running.returncode}")


def environment_of(verdict: Mapping[str, Any]) -> dict[str, str]:
    """The main members of a verdict as variables."""
    found = {name: str(verdict[member]) for name, member in VARIABLES.items() if member in verdict}
    found["LOGSCOPE_RULES"] = " ".join(sorted({finding["rule"] for finding in verdict.get("findings", ())}))
    return {name: text.replace("\0", "").encode("utf-8", "replace").decode() for name, text in found.items()}


def to_url(
    url: str, *, seconds: float = _ANSWER_S, attempts: int = _ATTEMPTS, pause_s: float = _FIRST_PAUSE_S
) -> Delivery:
    """POST each verdict as JSON; tried again after 1, 2, 4, 8 s when the receiver is not there or not well.

    Raises UsageError for anything but http and https.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise UsageError(f"--post: not a URL: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"--post: only http:// and https:// with a host, not {parts.scheme or url!r}")
    name = f"{parts.scheme}://{host}"  # the rest may hold a token
    return Delivery(name, lambda verdict: _post(url, encoded(verdict), seconds, attempts, pause_s))


def _post(url: str, data: bytes, seconds: float, attempts: int, pause_s: float) -> None:
    headers = {"Content-Type": "application/json", "User-Agent": f"logscope/{VERSION}"}
    for attempt in range(1, attempts + 1):
        request = urllib.request.Request(url, data, headers, method="POST")  # noqa: S310  the scheme was looked at
        try:
            with _opener().open(request, timeout=seconds) as answer:
                answer.read(1 << 16)
            return
        except urllib.error.HTTPError as error:
            why, again = f"answered {error.code}", error.code >= 500 or error.code in _LATER
            error.close()
        except (OSError, http.client.HTTPException) as error:
            why, again = f"{getattr(error, 'reason', None) or error}", True
        if not again or attempt == attempts:
            raise ConnectionError(f"{why}; a verdict was not delivered ({attempt} attempts)")
        time.sleep(pause_s * 2 ** (attempt - 1))


def _opener() -> urllib.request.OpenerDirector:
    """Opens http and https only, by a proxy if the environment names one, and follows no redirect."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
