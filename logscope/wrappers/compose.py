r"""Docker Compose (v1 and v2), pm2, foreman: the service's name, padded to the longest, and a bar.

Sample:

    sglang-1        | [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    xinference_1  |   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    sglang-1  |  →
    0|sglang   | [2026-01-12 02:47:08] a → [2026-01-12 02:47:08] a
    10:00:00 web.1  | [2026-01-12 02:47:08] a → [2026-01-12 02:47:08] a
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._prefix import Prefix, doubtful

NAME = "compose"

_PREFIX = Prefix(r"(?:\d+\||\d\d:\d\d:\d\d )?(?P<label>[A-Za-z0-9][\w.-]*) +\|(?: |$)", doubles=False)


def detect(lines: Sequence[str]) -> Detection | None:
    """By a name and a bar on most lines, with records of SGLang behind them."""
    return doubtful(_PREFIX.hits(lines), "a service's name and a bar", 0.5)


def unwrap(block: Block) -> Block:
    """The block without name and bar; the name is the label."""
    return _PREFIX.unwrap(block)
