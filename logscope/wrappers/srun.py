r"""`srun --label`: the task's number, padded, and a colon.

Sample:

    0: [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    10:   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
     3: [2026-01-12 02:47:08 TP3] Load weight begin. → [2026-01-12 02:47:08 TP3] Load weight begin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._prefix import Prefix, doubtful

NAME = "srun"

_PREFIX = Prefix(r" *(?P<task>\d{1,4}):(?: |$)", doubles=False)


def detect(lines: Sequence[str]) -> Detection | None:
    """By few numbers that come again on most lines; numbers that only rise are an editor's."""
    found = doubtful(_PREFIX.hits(lines), "a task's number")
    tasks = [int(hit["task"]) for line in lines if (hit := _PREFIX.text.match(line))]
    rising = all(a < b for a, b in pairwise(tasks)) and (len(tasks) > 1 or tasks[:1] > [511])
    return found if found and not (rising and tasks[0] != 0) and not (rising and len(tasks) > 4) else None


def _label(found: re.Match[bytes]) -> str:
    return f"task {int(found['task'])}"


def unwrap(block: Block) -> Block:
    """The block without the number, which is the label."""
    return _PREFIX.unwrap(block, _label)
