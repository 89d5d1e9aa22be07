"""Headless Chromium over its debugging pipe, with the standard library alone.

Messages of the DevTools protocol go through two pipes, each ended by a NUL: no port is opened and no package is needed.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from logscope.render.html import html

REPORTS = Path(__file__).parents[1] / "fixtures" / "reports"
SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# The browser reads commands from descriptor 3 and writes to 4; a small process puts the pipes there and becomes it.
_LAUNCH = (
    "import os, sys, fcntl\n"
    "read, write = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3])\n"
    "os.dup2(read, 3); os.dup2(write, 4)\n"
    "os.execvp(sys.argv[3], sys.argv[3:])\n"
)


class Browser:
    """One browser process with one page at a time."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._left = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []
        self.session = ""

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one command; raises RuntimeError when the browser refuses it."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(60.0)
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def open(self, url: str, *, width: int = 1280, scripts: bool = True, media: dict[str, str] | None = None) -> None:
        """A fresh page at a URL, loaded; what it asks of the network and says on its console is in `events`."""
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = [{"name": name, "value": value} for name, value in (media or {}).items()]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait("Page.loadEventFired")

    def wait(self, method: str, seconds: float = 60.0) -> dict[str, Any]:
        """The first event of that name; raises TimeoutError when none comes."""
        end = time.monotonic() + seconds
        while True:
            for event in self.events:
                if event.get("method") == method:
                    return event
            self.events.append(self._receive(end - time.monotonic()))

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page; promises are awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def said(self) -> list[str]:
        """What the console and the browser's own log say so far."""
        self.run("new Promise((done) => setTimeout(done, 150))")
        heard = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                heard.append(json.dumps(event["params"]["exceptionDetails"])[:500])
            elif event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning"):
                heard.append(json.dumps(event["params"]["args"])[:500])
            elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"):
                heard.append(event["params"]["entry"]["text"])
        return heard

    def requested(self) -> list[str]:
        """The URLs that the page asked for, its own included."""
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def _receive(self, seconds: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            if not select.select([self._read], [], [], max(0.0, seconds))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._read, 1 << 16)
            if not data:
                raise RuntimeError("the browser has gone")
            self._left += data
        message, self._left = self._left.split(b"\0", 1)
        received: dict[str, Any] = json.loads(message)
        return received


@contextmanager
def running(path: str) -> Iterator[Browser]:
    """A running browser with a profile of its own; both are gone afterwards."""
    command_read, command_write = os.pipe()
    answer_read, answer_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        launch = [sys.executable, "-c", _LAUNCH, str(command_read), str(answer_write), path, *SWITCHES]
        process = subprocess.Popen(
            [*launch, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(command_read, answer_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command_read)
        os.close(answer_write)
        try:
            yield Browser(answer_read, command_write)
        finally:
            os.close(command_write)
            os.close(answer_read)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all tests."""
    with running(chromium) as started:
        yield started


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core: LOGSCOPE_AXE, or what `npm ci` puts beside this file; required when a browser is."""
    found = Path(os.environ.get("LOGSCOPE_AXE", Path(__file__).parent / "node_modules/axe-core/axe.min.js"))
    if not found.is_file():
        why = f"axe-core is not at {found}: `npm ci --prefix tests/browser` puts it there"
        if os.environ.get("LOGSCOPE_REQUIRE_BROWSER"):
            pytest.fail(why)
        pytest.skip(why)
    return found.read_text(encoding="utf-8")


@pytest.fixture(scope="session", params=["story-1-pool-nearly-empty", "story-2-negative-budget"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file URL of a rendered report."""
    report = json.loads((REPORTS / f"{request.param}.json").read_text(encoding="utf-8"))
    path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    path.write_bytes(html(report).encode())
    return path.as_uri()


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file URL of a report whose every text ends in markup, controls and an endless word."""
    text = "</script><img src=x onerror='owned=1'><script>owned=1</script>\u202e\x1b[31m" + "W" * 600

    def poisoned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: poisoned(item) for key, item in value.items()}
        if isinstance(value, list):
            return [poisoned(item) for item in value]
        return f"{value}{text}" if isinstance(value, str) else value

    report = json.loads((REPORTS / "story-1-pool-nearly-empty.json").read_text(encoding="utf-8"))
    path = tmp_path_factory.mktemp("hostile") / "postmortem.html"
    path.write_bytes(html(poisoned(report)).encode())
    return path.as_uri()
