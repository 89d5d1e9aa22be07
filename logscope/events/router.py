r"""Lines of the router and gateway in front of the servers: one row a line.

Sample
    #@ sglang-router 0.0.x..0.1.4
    [Router (Rust)] 2025-03-08 02:33:09 - INFO - Worker http://10.0.0.2:31000 health check is pending with error: error sending request
    #@ sglang-router 0.1.9..0.3.2
    2025-11-04 10:05:37  INFO sglang_router_rs::server: src/server.rs:830: Starting router on 0.0.0.0:30000 | mode: Regular { worker_urls: [] } | max_payload: 512MB
    2025-10-07 23:31:33 ERROR sglang_router_rs::core::worker: src/core/worker.rs:517: Failed to connect gRPC client for worker grpc://localhost:20000: transport error
    2025-11-02 05:31:12  INFO http_request{method=POST uri=/v1/completions version=HTTP/1.1 request_id="cmpl-1"}: sglang_router_rs::request: src/middleware.rs:224: started processing request
    #@ sgl-model-gateway
    2025-12-04 10:05:37  WARN smg::core::circuit_breaker: src/core/circuit_breaker.rs:120: Circuit breaker opened for worker http://10.0.0.3:30000
    {"timestamp":"2025-12-04T10:05:37.123456Z","level":"INFO","message":"Worker registered","target":"sgl_model_gateway::core","filename":"src/core/mod.rs","line_number":12}
    #@ 0.4.0..0.5.23
    [Router (Python)] 2025-11-04 10:05:36,123 - INFO - Waiting for workers to be ready...
    #@ 0.4.6.post3..0.5.1.post3
    [PDLB (Python)] 2025-05-14 09:31:43,123 - INFO - Selected prefill: http://10.0.0.2:30000, decode: http://10.0.0.3:30000

Meaning
    The Rust router's clock is UTC, the servers' is local time. What the router calls an error of a worker may be the
    worker's refusal, its death, or the network; the worker's own log tells.

Source
    `sgl-router/src/logging.rs`, `sgl-model-gateway/src/logging.rs` (tracing_subscriber); `sglang_router/launch_*.py`;
    `disaggregation/mini_lb.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_WORKER = r"(?:(?=.{0,2000}?(?P<worker>(?:https?|grpc)://(?:\[[^\]]*\]|[\w.-]+)(?::\d+)?)))?"
_EVENT = (
    r"(?:(?=.{0,400}?(?P<event>[Cc]ircuit breaker|[Hh]ealth check|[Rr]etr(?:y|ies)|[Nn]o available|[Ff]ailed|"
    r"[Tt]imed? ?out|[Rr]egister\w*|[Rr]emov\w+|[Uu]nhealthy|[Ss]tream error)))?"
)
_TEXT = rf"{_WORKER}{_EVENT}(?P<text>.*)"
_LEVEL = r"(?P<level>TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)"
_TRACING = (
    r"(?:(?P<printed_time>\d{4}-\d\d-\d\d[ T][\d:.]+Z?) )? ?"
    + _LEVEL
    + r" (?:(?P<span>\w+\{.{0,2000}?\}): )?(?P<target>(?:sglang_router\w*|sgl_model_gateway|smg|data_connector|reasoning_parser|tool_parser)(?:::\w+)*):"
    r" (?:(?P<source>[\w./-]+\.rs):(?P<source_line>\d+): )?" + _TEXT
)

FAMILY = Family(
    shapes=(
        Shape(
            r"\[(?P<component>Router \(Rust\)|Router \(Python\)|PDLB \(Python\)|MiniLB[^\]]*)\] (?P<printed_time>\d{4}-\d\d-\d\d [\d:,.]+) - "
            + _LEVEL
            + " - "
            + _TEXT,
            ("[Router (", "[PDLB (", "[MiniLB"),
        ),
        Shape(_TRACING, contains=".rs:", sets={"component": "gateway"}),
        Shape(_TRACING, contains="_rs::", sets={"component": "gateway"}),
        Shape(
            r"\{\"timestamp\":\"(?P<printed_time>[^\"]*)\",\"level\":\"(?P<level>[A-Z]+)\""
            r"(?=.*?\"target\":\"(?P<target>(?:sglang_router|sgl_model_gateway|smg)[\w:]*)\")"
            r"(?:(?=.*?\"filename\":\"(?P<source>[^\"]*)\"))?(?:(?=.*?\"line_number\":(?P<source_line>\d+)))?"
            r"(?:(?=.*?\"message\":\"(?P<text>(?:[^\"\\]|\\.)*)\"))?" + _WORKER + ".*",
            ('{"timestamp":"',),
            sets={"component": "gateway"},
        ),
    ),
    columns=(
        Column("component", "text", "Router (Rust), Router (Python), PDLB (Python), gateway."),
        Column("printed_time", "text", "Time as printed: UTC from Rust, local from Python."),
        Column("level", "text", "Level as printed."),
        Column("target", "text", "Module that printed the line."),
        Column("span", "text", "Span of the request: method, path, request number."),
        Column("source", "text", "Source file."),
        Column("source_line", "int", "Its line."),
        Column("worker", "text", "Address of the worker that the line names first."),
        Column("event", "text", "The telling words: circuit breaker, health check, retry, failed, …"),
        Column("text", "text", "The message."),
    ),
    process="main",
)
