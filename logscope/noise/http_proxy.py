r"""Access lines of a proxy or web server in front of SGLang, in the common or combined log format.

Why
    They tell what clients asked of the proxy, not which server answered or what it did; SGLang's own access lines do.

Sample
    10.0.0.1 - - [29/Nov/2026:12:25:11 +0000] "GET /v1/models HTTP/1.1" 200 512 "-" "curl/8.0"
    203.0.113.9 - alice [10/May/2025:09:18:16 +0000] "POST /v1/chat/completions HTTP/2.0" 502 157
    ::1 - - [10/May/2025:09:18:16 +0000] "-" 408 0 "-" "-"
"""

from __future__ import annotations

from logscope.family import Noise

NOISE = (
    Noise(
        "an HTTP proxy",
        "a request as the proxy saw it",
        r"\S+ \S+ \S+ \[\d\d/\w{3}/\d{4}:[\d:]+ [+-]\d{4}\] \"[^\"]*\" \d{3} (?:\d+|-)(?: .*)?$",
        contains='] "',
    ),
)
