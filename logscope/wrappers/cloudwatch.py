r"""CloudWatch: the console's tabs (epoch milliseconds, ISO clock, message), its CSV, and `aws logs tail`.

The console puts an empty line after each message; it stays an empty line.

Sample:

    1779264164797	2026-05-20T08:02:44.797Z	[2026-05-20 08:02:44 TP0] a → [2026-05-20 08:02:44 TP0] a
    1779264164797	2026-05-20T08:02:44.797Z	  File "/srv/scheduler.py", line 1300, in run →   File "/srv/scheduler.py", line 1300, in run
    1779264164797,"[2026-05-20 08:02:44] INFO:     ready" → [2026-05-20 08:02:44] INFO:     ready
    1779264164797,[2026-05-20 08:02:44] a → [2026-05-20 08:02:44] a
    2026-05-20T08:02:44.797000+00:00 ecs/sglang/0a1b [2026-05-20 08:02:44 TP0] a → [2026-05-20 08:02:44 TP0] a
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._clock import ISO_T
from logscope.wrappers._lines import lines_of
from logscope.wrappers._prefix import Prefix, doubtful, plain

NAME = "cloudwatch"

_TABS = Prefix(rf"(?P<time>\d{{13}})\t(?:{ISO_T}\t)?")
_TAIL = Prefix(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00) "
    r"(?P<label>(?=[^\s\[]{0,99}[/\d-])[A-Za-z][^\s\[\]:]{0,255}(?:\[[^\]\s]{0,99}\])?[^\s\[\]:]{0,255})(?: |$)"
)
_CSV = re.compile(rb"(\d{13}),(\"?)(.*?)\2\r?$")
_CSV_TEXT = Prefix(r"(?P<time>\d{13}),\"?")


def detect(lines: Sequence[str]) -> Detection | None:
    """By thirteen digits and a tab or a comma, or by a stream's name between a clock and records of SGLang."""
    return (
        plain(_TABS.hits(lines), "epoch milliseconds and a tab")
        or doubtful(_CSV_TEXT.hits(lines), "epoch milliseconds and a comma", 0.5)
        or doubtful(_TAIL.hits(lines), "a clock and a stream's name", 0.9)
    )


def unwrap(block: Block) -> Block:
    """The block without clocks and stream, which is the label."""
    return _TAIL.unwrap(_csv(_TABS.unwrap(block)))


def _csv(block: Block) -> Block:
    lines = lines_of(block)
    for place, text in enumerate(lines.texts):
        found = _CSV.match(text)
        if found:
            lines.texts[place] = found[3].replace(b'""', b'"') if found[2] else found[3]
            lines.time(place, int(found[1]))
    return lines.block()
