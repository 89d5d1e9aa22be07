r"""Life of the HTTP front end: started, serving, shutting down, or refused a port.

Sample
    #@ 0.1.15..0.3.3.post1
    INFO:     Started server process [49]
    INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)
    #@ 0.3.4..0.5.23
    [2026-01-12 02:47:09] INFO:     Started server process [49]
    [2026-01-12 02:47:09] INFO:     Waiting for application startup.
    [2026-01-12 02:47:09] INFO:     Application startup complete.
    [2026-01-12 02:47:09] INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)
    [2026-01-12 02:48:09] INFO:     Shutting down
    [2026-01-12 02:48:09] INFO:     Waiting for connections to close. (CTRL+C to force quit)
    [2026-01-12 02:48:09] INFO:     Waiting for background tasks to complete. (CTRL+C to force quit)
    [2026-01-12 02:48:10] INFO:     Waiting for application shutdown.
    [2026-01-12 02:48:10] INFO:     Application shutdown complete.
    [2026-01-12 02:48:10] INFO:     Finished server process [49]
    [2026-01-12 02:47:09] ERROR:    Application startup failed. Exiting.
    [2026-01-12 02:47:09] ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 36561): address already in use
    [2026-01-12 02:47:09] ERROR:    Exception in ASGI application
    [2026-01-12 02:47:09] WARNING:  Invalid HTTP request received.
    #@ 0.5.23..0.5.23
    [2026-11-20 02:47:09] Uvicorn running on 0.0.0.0:30000 with 4 SO_REUSEPORT workers
    #@ 0.5.11..0.5.13.post1
    [2026-05-20 02:47:09] Starting Granian HTTP/2 server on 127.0.0.1:30000
    #@ 0.5.14..0.5.23
    [2026-07-20 02:47:09] Starting embedded Granian HTTP/2 server on 127.0.0.1:30000

Meaning
    `Uvicorn running` means that the port is open, not that the model answers: the warm-up comes after it. The lines of
    a shutdown follow SIGINT in all releases and SIGTERM from 0.5.20 on; before, the log ends with `Gracefully exiting`.
    A port in use ends the front end and may leave the schedulers hanging.

Source
    uvicorn `server.py`, `lifespan/on.py`, `protocols/http/*_impl.py`; SGLang `entrypoints/http_server.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_LEVEL = r"(?P<level>INFO|WARNING|ERROR|CRITICAL): *"
_LEVELS = ("INFO:", "WARNING:", "ERROR:", "CRITICAL:")


def _event(name: str, text: str) -> Shape:
    return Shape(rf"{_LEVEL}{text}\s*", _LEVELS, sets={"event": name})


FAMILY = Family(
    shapes=(
        _event("started", r"Started server process \[(?P<process_id>\d+)\]"),
        _event("starting", r"Waiting for application startup\."),
        _event("startup_complete", r"Application startup complete\."),
        _event("startup_failed", r"Application startup failed\. Exiting\."),
        _event("running", r"(?:Uvicorn|Granian) running on (?P<address>\S+)(?: \(Press CTRL\+C to quit\))?"),
        _event("shutting_down", r"Shutting down"),
        _event(
            "waiting",
            r"(?P<text>Waiting for (?:connections to close|background tasks to complete|application shutdown)\..*)",
        ),
        _event("shutdown_complete", r"Application shutdown complete\."),
        _event("finished", r"Finished server process \[(?P<process_id>\d+)\]"),
        _event(
            "bind_failed",
            r"\[Errno (?P<errno>\d+)\] error while attempting to bind on address"
            r" (?P<address>\([^)]*\)): (?P<text>.*)",
        ),
        _event("exception", r"(?P<text>Exception in ASGI application|Exception in callback .*)"),
        _event("invalid_request", r"(?P<text>Invalid HTTP request received\.|Unsupported upgrade request\.)"),
        _event(
            "limit",
            r"(?P<text>Exceeded concurrency limit\.|ASGI callable .*|Maximum request limit .*"
            r"|Cancel \d+ running task\(s\), timeout graceful shutdown exceeded)",
        ),
        Shape(
            r"Uvicorn running on (?P<address>\S+) with (?P<workers>\d+) SO_REUSEPORT workers",
            ("Uvicorn running on ",),
            since="0.5.23",
            sets={"event": "running"},
        ),
        Shape(
            r"Starting (?:embedded )?Granian HTTP/2 server on (?P<address>\S+)",
            ("Starting Granian HTTP/2", "Starting embedded Granian"),
            since="0.5.11",
            sets={"event": "starting"},
        ),
    ),
    columns=(
        Column("event", "text", "What happened: started, starting, startup_complete, running, shutting_down, …"),
        Column("level", "text", "Level as printed."),
        Column("process_id", "int", "Process number of the front end."),
        Column("address", "text", "Address that is served or refused."),
        Column("errno", "int", "Number of the operating system's error: 98 is an address in use."),
        Column("workers", "int", "Worker processes that share the port.", "processes"),
        Column("text", "text", "The rest of the message."),
    ),
    process="main",
    shared=True,
)
