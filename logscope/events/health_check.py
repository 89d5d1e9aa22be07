r"""Health checks that failed or came too late.

Sample
    #@ 0.4.3.post3..0.5.23
    [2026-01-12 12:00:21] Health check failed. Server couldn't get a response from detokenizer for last 20 seconds. tic start time: 12:00:01. last_heartbeat time: 11:59:41
    #@ 0.4.10..0.5.23
    [2026-01-12 12:00:21] Health check request received during shutdown. Returning 503.
    #@ 0.5.3..0.5.23
    [2026-01-12 12:00:21] Health check failed: deadline exceeded
    [2026-01-12 12:00:21] Health check timeout after 20s
    [2026-01-12 12:00:21] Health check request received during shutdown. Returning unhealthy.

Meaning
    `/health_generate` sends a request of one token. No answer means that the scheduler or the detokenizer is gone,
    hangs, or runs one forward longer than the limit; the last heartbeat says since when.

Source
    `health_generate` (`entrypoints/http_server.py`), `entrypoints/grpc_server.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Health check failed\. Server couldn't get a response from detokenizer for last (?P<limit_s>[\d.]+) seconds\."
            r" tic start time: (?P<began>[\d:]+)\. last_heartbeat time: (?P<last_heartbeat>[\d:]+) *",
            ("Health check failed.",),
            since="0.4.3.post3",
            sets={"kind": "failed"},
        ),
        Shape(
            r"Health check request received during shutdown\. Returning 503\. *",
            ("Health check request received during",),
            since="0.4.10",
            sets={"kind": "shutdown"},
        ),
        Shape(
            r"Health check request received during shutdown\. Returning unhealthy\. *",
            ("Health check request received during",),
            sets={"kind": "shutdown"},
        ),
        Shape(r"Health check failed: (?P<text>.*)", ("Health check failed:",), sets={"kind": "failed"}),
        Shape(
            r"Health check timeout after (?P<limit_s>[\d.]+) ?s.*", ("Health check timeout",), sets={"kind": "failed"}
        ),
    ),
    columns=(
        Column("kind", "text", "failed or shutdown."),
        Column("limit_s", "float", "Time without an answer.", "s", decimals=0),
        Column("began", "text", "Clock time of the probe."),
        Column("last_heartbeat", "text", "Clock time of the last sign of life."),
        Column("text", "text", "What else the line says."),
    ),
    process="main",
)
