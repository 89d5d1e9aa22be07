"""An S3-compatible server in a process of its own, over HTTP, that also answers late and with errors.

Every fourth request is refused (503 SlowDown), every fifth waits; the counts of both are at /-/counts.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

SLOW = b"<?xml version='1.0'?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"


class Flaky:
    def __init__(self, server: Callable[..., Iterable[bytes]]) -> None:
        self.server = server
        self.number = itertools.count(1)
        self.lock = threading.Lock()
        self.counts = {"requests": 0, "refused": 0, "delayed": 0}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/-/counts":
            start_response("200 OK", [("Content-Type", "application/json")])
            return [json.dumps(self.counts).encode()]
        with self.lock:
            number = next(self.number)
            self.counts["requests"] += 1
            self.counts["refused"] += number % 4 == 0
            self.counts["delayed"] += number % 5 == 0
        if number % 5 == 0:
            time.sleep(0.2)
        if number % 4 == 0:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response("503 Slow Down", [("Content-Type", "application/xml"), ("Content-Length", str(len(SLOW)))])
            return [SLOW]
        return self.server(environ, start_response)


if __name__ == "__main__":
    run_simple("127.0.0.1", int(sys.argv[1]), Flaky(DomainDispatcherApplication(create_backend_app)), threaded=True)
