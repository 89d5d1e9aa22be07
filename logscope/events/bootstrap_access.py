r"""Requests to the bootstrap server of a PD prefill node, in the common log format of aiohttp: one row a request.

Sample
    #@ 0.4.6..0.5.23
    [2025-05-10 09:18:16] 127.0.0.1 [10/May/2025:09:18:16 +0000] "GET /route?engine_rank=0 HTTP/1.1" 200 262 "-" "python-requests/2.32.3"

Meaning
    Decode ranks ask `/route` for the address of a prefill rank, prefill ranks register with PUT. The bracketed time has
    a zone, unlike all other clocks of the log.

Source
    aiohttp `web_log.py:AccessLogger`; SGLang `disaggregation/common/conn.py` (bootstrap server).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?P<client>\S+) \[(?P<printed_time>\d\d/\w{3}/\d{4}:[\d:]+ [+-]\d{4})\]"
            r" \"(?P<method>[A-Z]+) (?P<target>\S*) HTTP/(?P<protocol>[\d.]+)\" (?P<status>\d{3}) (?P<size_bytes>\d+|-)"
            r"(?: \"[^\"]*\" \"(?P<agent>[^\"]*)\")?\s*",
            contains='] "',
            since="0.4.6",
        ),
    ),
    columns=(
        Column("client", "text", "Address of the client."),
        Column("printed_time", "text", "Time of the request with its zone."),
        Column("method", "text", "GET or PUT."),
        Column("target", "text", "Path and query: `/route?engine_rank=…` asks for a prefill rank."),
        Column("protocol", "text", "Version of HTTP."),
        Column("status", "int", "Status code."),
        Column("size_bytes", "int", "Size of the body.", "bytes"),
        Column("agent", "text", "User agent."),
    ),
    process="main",
    shared=True,
)
