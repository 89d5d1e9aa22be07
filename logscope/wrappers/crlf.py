r"""Lines that end with a carriage return before the newline: Windows, terminals in a container, `script`.

Sample:

    [2026-01-12 02:47:08 TP0] Load weight begin.\x0d → [2026-01-12 02:47:08 TP0] Load weight begin.
      File "/srv/scheduler.py", line 12, in run\x0d →   File "/srv/scheduler.py", line 12, in run
    \x0d →
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, with_data
from logscope.wrappers._inner import written

NAME = "crlf"
WHOLE = True  # stands at the end of a line and belongs to no syntax


def detect(lines: Sequence[str]) -> Detection | None:
    """By the carriage return at the end of nearly every line."""
    sample = written(lines)
    ending = sum(1 for line in sample if line.endswith("\r"))
    if not ending or ending < 0.9 * (len(sample) - 1):
        return None
    return Detection("certain", f"{ending} of {len(sample)} lines end with a carriage return")


def unwrap(block: Block) -> Block:
    """The block without the carriage return at the end of each line."""
    data = block.data.replace(b"\r\n", b"\n")
    return with_data(block, data.removesuffix(b"\r"))
