r"""Kibana and OpenSearch Dashboards: the clock of the table, other columns, the message; newest first or oldest first.

Sample:

    Apr 25, 2026 @ 19:52:13.225    [2026-04-25 11:52:13 DP13 TP13] Decode batch → [2026-04-25 11:52:13 DP13 TP13] Decode batch
    Apr 25, 2026 @ 19:56:13.892	sglang-decode-0	[2026-04-25 11:56:13 TP1] a → [2026-04-25 11:56:13 TP1] a
    "Apr 25, 2026 @ 19:56:13.892","[2026-04-25 11:56:13 TP1] say ""a"" x" → [2026-04-25 11:56:13 TP1] say "a" x
    Apr 25, 2026 @ 19:56:13.892      File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._clock import KIBANA, moment_ms
from logscope.wrappers._lines import lines_of
from logscope.wrappers._prefix import Prefix, plain

NAME = "kibana"

_TEXT = Prefix(rf'"?(?P<time>{KIBANA})"?')
# Columns of a table are divided by a tab, by four blanks, or by a comma between quotes.
_LINE = re.compile(
    rb'(?P<quote>"?)(?P<time>'
    + KIBANA.encode()
    + rb')"?(?:,"?|\t| {4}| |$)(?:(?P<label>(?=[\w./-]*[a-z])[a-z0-9][\w./-]*)(?:\t|"?,"?))?(?P<rest>.*)$'
)


def detect(lines: Sequence[str]) -> Detection | None:
    """By the clock with its `@`."""
    return plain(_TEXT.hits(lines), "a clock of Kibana")


def unwrap(block: Block) -> Block:
    """The block without clock and columns; a column with a pod's name is the label."""
    lines = lines_of(block)
    for place, text in enumerate(lines.texts):
        found = _LINE.match(text)
        if found is None:
            continue
        rest = found["rest"]
        quoted = found["quote"] and rest.rstrip(b"\r").endswith(b'"')
        lines.texts[place] = rest.rstrip(b"\r")[:-1].replace(b'""', b'"') if quoted else rest
        lines.time(place, moment_ms(found["time"]))
        lines.label(place, (found["label"] or b"").decode())
    return lines.block()
