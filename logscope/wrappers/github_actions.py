r"""GitHub Actions (raw logs, `gh run view --log`): a clock with seven decimals; group, error and notice marks.

Sample:

    2026-01-12T02:47:08.1234567Z [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    2026-01-12T02:47:08.1234567Z ##[group]Run python3 -m sglang.launch_server → Run python3 -m sglang.launch_server
    2026-01-12T02:47:08.1234567Z ##[error]Process completed with exit code 137. → Process completed with exit code 137.
    2026-01-12T02:47:08.1234567Z ##[endgroup] →
    unit-test	Run tests	﻿2026-01-12T02:47:08.1234567Z begin → begin
    unit-test	Run tests	2026-01-12T02:47:08.1234567Z   File "/srv/a.py", line 1, in b →   File "/srv/a.py", line 1, in b
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._prefix import Prefix, plain

NAME = "github_actions"

_MARK = r"##\[(?:group|endgroup|command|section|error|warning|notice|debug)\]"
_JOB = r"(?:(?!\d{13}\t)[^\t\n]{1,200}\t[^\t\n]{1,200}\t)?"
_MARKED = "(?:\N{ZERO WIDTH NO-BREAK SPACE})?"  # a step's log begins with a byte order mark
_PREFIX = Prefix(rf"{_JOB}{_MARKED}(?P<time>\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{7}}Z)(?: |$)(?:{_MARK})?|{_MARK}")


def detect(lines: Sequence[str]) -> Detection | None:
    """By the seven decimals of the clock, or by a mark."""
    return plain(_PREFIX.hits(lines), "a clock with seven decimals or a mark")


def unwrap(block: Block) -> Block:
    """The block without job, clock and mark."""
    return _PREFIX.unwrap(block)
