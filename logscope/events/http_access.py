r"""HTTP requests that the front end answered: one row an access line, printed when the response starts.

Sample
    #@ 0.1.15..0.3.3.post1
    INFO:     127.0.0.1:52514 - "POST /generate HTTP/1.1" 200 OK
    #@ 0.3.4..0.5.23
    [2026-01-12 02:47:10] INFO:     127.0.0.1:40262 - "GET /get_model_info HTTP/1.1" 200 OK
    [2026-01-12 02:47:12] INFO:     10.1.2.3:40270 - "POST /v1/chat/completions HTTP/1.1" 400 Bad Request
    [2026-01-12 02:47:12] INFO: 127.0.0.1:33861 - "GET /health_generate HTTP/1.1" 503 Service Unavailable
    [2026-01-12 02:47:13] INFO:     ::1:40271 - "GET /health HTTP/1.1" 200 OK
    #@ 0.1.15..0.5.23
    127.0.0.1:57442 - "POST /v1/chat/completions HTTP/1.1" 200 OK

Meaning
    The line of a streamed answer is printed when its first byte leaves, so it does not mark the end, and a status of
    200 says nothing about how the stream ended. stdout is buffered when it is piped: the lines may come late and out
    of order against the scheduler's. The level is the server's `--log-level-http`.

Source
    uvicorn `protocols/http/h11_impl.py`, `httptools_impl.py`, `logging.py:AccessFormatter`; SGLang patches the time in
    front (`utils.set_uvicorn_logging_configs`, 0.3.4).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_REQUEST = (
    r"(?P<client>\S*) - \"(?P<method>[A-Z]+) (?P<target>\S*) HTTP/(?P<protocol>[\d.]+)\" (?P<status>\d{3})"
    r"(?: (?P<phrase>[A-Za-z][A-Za-z' -]*))?\s*"
)

FAMILY = Family(
    shapes=(
        Shape(rf"(?:INFO|WARNING|ERROR): *{_REQUEST}", ("INFO:",), since="0.1.15"),
        Shape(_REQUEST, contains=' - "', since="0.1.15"),
    ),
    columns=(
        Column("client", "text", "Address and port of the client; empty behind a Unix socket."),
        Column("method", "text", "GET, POST, …"),
        Column("target", "text", "Path and query as asked for."),
        Column("protocol", "text", "Version of HTTP."),
        Column("status", "int", "Status code of the response head."),
        Column("phrase", "text", "Its standard phrase."),
    ),
    process="main",
    hot=True,
    shared=True,
)
