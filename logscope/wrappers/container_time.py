r"""`docker logs -t`, `kubectl logs --timestamps`, `podman logs -t`: an ISO clock with its zone before every line.

The Rust router's own lines begin with such a clock too, then a level and a module: those are records and stay.

Sample:

    2026-09-10T06:37:14.810311167Z [2026-09-10 06:37:14] Received sigquit from a child process. → [2026-09-10 06:37:14] Received sigquit from a child process.
    2026-09-10T06:37:14.810058421Z   File "/srv/detokenizer_manager.py", line 124, in init →   File "/srv/detokenizer_manager.py", line 124, in init
    2026-05-01T18:00:00.123+08:00 >> (SGLangEngine pid=7) [2026-05-01 10:00:00] a → (SGLangEngine pid=7) [2026-05-01 10:00:00] a
    2026-09-10T06:37:15.000000000Z →
    2025-11-04T10:05:37.123456Z  INFO sglang_router_rs::server: src/server.rs:830: a → 2025-11-04T10:05:37.123456Z  INFO sglang_router_rs::server: src/server.rs:830: a
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._inner import TRACING
from logscope.wrappers._prefix import Prefix

NAME = "container_time"

_CLOCK = r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))"
_PREFIX = Prefix(rf"{_CLOCK}(?: >>)?(?: |$){TRACING}(?!std(?:out|err) [FP])")
_SEVEN = re.compile(r"[\dT:-]{19}\.\d{7}Z")


def detect(lines: Sequence[str]) -> Detection | None:
    """By a clock with a zone on most lines, or before SGLang's own prefix."""
    hits = _PREFIX.hits(lines)
    if all(_SEVEN.match(line) for line in lines if _PREFIX.text.match(line)):
        return None  # GitHub Actions
    if not hits.fitting or hits.share < 0.3 or (hits.share < 0.7 and not hits.proven):
        return None
    return Detection("certain" if hits.proven else "likely", hits.told("a clock with a zone"))


def unwrap(block: Block) -> Block:
    """The block without the clock."""
    return _PREFIX.unwrap(block)
