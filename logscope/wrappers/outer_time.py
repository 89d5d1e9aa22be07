r"""A second clock before SGLang's own: a platform's, a terminal's (`ts`), a log viewer's, a double prefix.

Sample:

    [2025-10-25T01:43:10.703Z] [2025-10-25 01:43:10] Received sigquit from a child process. → [2025-10-25 01:43:10] Received sigquit from a child process.
    2025-10-25 01:43:10.703 [2025-10-25 01:43:10 TP0] a → [2025-10-25 01:43:10 TP0] a
    2025-10-25 01:43:10,703   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    2025/10/25 01:43:10 [2025-10-25 01:43:10] a → [2025-10-25 01:43:10] a
    Oct 25 01:43:10 [2025-10-25 01:43:10] a → [2025-10-25 01:43:10] a
    [2025-10-25 01:43:10] [2025-10-25 01:43:10 TP0] a → [2025-10-25 01:43:10 TP0] a
    2025-10-25 01:43:10 TP0] Decode batch → 2025-10-25 01:43:10 TP0] Decode batch
    2025-11-04 10:05:37  INFO sglang_router_rs::server: src/server.rs:830: a → 2025-11-04 10:05:37  INFO sglang_router_rs::server: src/server.rs:830: a
    [2025-10-25 01:43:10] INFO:     Started server process [49] → [2025-10-25 01:43:10] INFO:     Started server process [49]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._clock import ISO, ISO_T, MONTH_DAY, SLASHED
from logscope.wrappers._inner import STAMPED, TRACING, written
from logscope.wrappers._prefix import Prefix

NAME = "outer_time"

_ISO_T_ANY = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_OPEN = rf"(?P<time>{ISO}|{_ISO_T_ANY}|{SLASHED}|{MONTH_DAY})(?: >>|:|,| \|)?(?:[ \t]|$)"
_CLOSED = rf"\[(?P<closed>{ISO_T}|{_ISO_T_ANY}|{SLASHED}|{MONTH_DAY})\](?: >>|:)?(?:[ \t]|$)"
# In brackets and with a blank it is SGLang's own prefix, unless a second one follows.
_DOUBLE = rf"\[(?P<double>{ISO})\] (?={STAMPED.pattern})"
_RECORD = rf"{TRACING}(?!(?:[A-Z_]{{2,}}-?\d+ ?)+\]|- |\||\[Daemon |[A-Z]+ +\S+\.(?:py|cc|cpp|rs):\d+)"
_FOREIGN = re.compile(rf"\[(?:{_ISO_T_ANY}|{SLASHED})\]|{SLASHED} ")
_PREFIX = Prefix(rf"(?:{_OPEN}{_RECORD}|{_CLOSED}|{_DOUBLE})")


def detect(lines: Sequence[str]) -> Detection | None:
    """By SGLang's own prefix behind a clock, on more lines than begin with it; else by a clock that SGLang never prints."""
    hits = _PREFIX.hits(lines)
    foreign = sum(1 for line in written(lines) if _FOREIGN.match(line))
    if hits.stamped and hits.bare <= hits.stamped:
        return Detection("certain", hits.told("a clock"))
    if hits.proven and foreign > 0.9 * hits.written and hits.share > 0.9:
        return Detection("likely", hits.told("a clock"))
    return None


def unwrap(block: Block) -> Block:
    """The block without the outer clock."""
    return _PREFIX.unwrap(block)
