"""What stands at the beginning of a line of SGLang or of a program beside it: the proof that what stood before was a wrapper."""

from __future__ import annotations

import re
from collections.abc import Sequence

_STAMP = (
    r"\[(?:\d{4}-\d\d-\d\d |\d\d-\d\d )?\d\d:\d\d:\d\d(?:[.,]\d{3})?(?: [A-Z_]{2,}-?\d+)*"
    r"(?: encode_server| encode_dp_worker\[\d+\])?\]"
)
STAMPED = re.compile(rf"{_STAMP} ")
_WITHIN = re.compile(rf"[^\n]{{0,200}}?{_STAMP} ")
LAST_STAMP = re.compile(rf"([^\n]{{0,200}}){_STAMP} ")  # the one that stands furthest in; what is before it

# Beginnings that SGLang and its neighbours never indent and never put behind other text.
_BEGINNING = re.compile(
    rf"{_STAMP} |\[gpu(?:_id)?=\d+\] |\[rank\d+\]:|(?:INFO|WARNING|ERROR|CRITICAL|DEBUG): +\S"
    r"|\[(?:Router|PDLB|MiniLB)\b|(?:Prefill|Decode) batch|max_total_num_tokens=|server_args=|Load weight (?:begin|end)|KV Cache is allocated"
    r"|Traceback \(most recent call last\)|Loading [\w ]*shards|Capturing (?:batches|num tokens)|Multi-thread loading"
    r"|(?:INFO|WARNING|ERROR) \d\d-\d\d \d\d:\d\d:\d\d |[IWEF]\d{4} \d\d:\d\d:\d\d|\((?:[\w.:]+ )?pid=\d+"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* +(?:TRACE|DEBUG|INFO|WARN|ERROR) |(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): "
    r"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:,\d{3})? - (?:\S+ - )?(?:INFO|WARNING|ERROR|CRITICAL) - "
    r"|/[\w./-]+/(?:site|dist)-packages/|/[^\s:]+\.py:\d+: \w*Warning: |[\w.-]+:\d+:\d+ \[\d+\] NCCL |python3? -m sglang|Receive: obj=|Finish: obj=|Fatal Python error|\{\"(?:log|message)\":"
)
_WORDS = re.compile(r"sglang|torch|cuda|nccl|c10d|token|python\d?[./]", re.IGNORECASE)
_FRAME = re.compile(r'  File "[^"\n]+", line \d+|    \S|During handling of|Possible solutions|Killed\b')

# A line of the tracing library of Rust: its own clock, its level, its module. It is a record and no wrapper.
TRACING = r"(?! *(?:TRACE|DEBUG|INFO|WARN|ERROR) (?:\w+(?:\{[^}\n]*\})?(?:::\w+)*:|[\w-]+\{))"


def begins(text: str) -> bool:
    """Whether a line begins as SGLang or one of its neighbours begins a record."""
    return _BEGINNING.match(text) is not None


def stamped(text: str) -> bool:
    """Whether a line begins with SGLang's own prefix."""
    return STAMPED.match(text) is not None


def holds_stamp(text: str) -> bool:
    """Whether SGLang's own prefix stands in a line, at its beginning or behind further wrappers."""
    return _WITHIN.match(text) is not None


def belongs(text: str) -> bool:
    """Whether a line begins a record, is the inner part of a traceback, or is wrapped further and holds a prefix."""
    return any(pattern.match(text) for pattern in (_BEGINNING, _FRAME, _WITHIN))


def speaks(text: str) -> bool:
    """Whether a line belongs, or speaks of what only a server's log speaks of: enough where a wrapper is on every line."""
    return belongs(text) or _WORDS.search(text, 0, 300) is not None


def written(lines: Sequence[str]) -> list[str]:
    """The lines that hold something."""
    return [line for line in lines if line.strip()]
