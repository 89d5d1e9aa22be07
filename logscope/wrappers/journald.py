r"""journald (`journalctl`, also `-o short-iso`, `-o short-precise`) and syslog files: clock, host, program and process number.

Kernel lines carry no process number. The clock of the short form has no year and is kept only where the line itself tells it.

Sample:

    Jan 12 02:47:08 gpu-node-1 sglang[4242]: [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    2026-01-12T02:47:08+0000 gpu-node-1 python3[4242]:   File "/srv/scheduler.py", line 12 →   File "/srv/scheduler.py", line 12
    Mon 2026-01-12 02:47:08 UTC gpu-node-1 sglang[4242]: a → a
    1768186028.123456 gpu-node-1 sglang[4242]: a → a
    2026-01-12T02:47:08.123456+00:00 gpu-node-1 docker/sglang[4242]: a → a
    Jan 12 02:47:08.123456 gpu-node-1 kernel: Out of memory: Killed process 7 (sglang::schedul) → Out of memory: Killed process 7 (sglang::schedul)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._clock import ISO_T, MONTH_DAY
from logscope.wrappers._prefix import Prefix, plain

NAME = "journald"

_HOST = r"(?P<host>[A-Za-z0-9][\w.-]*)"
_WEEKDAY = r"(?:[A-Z][a-z]{2} (?=\d{4}-))?"
_FULL = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [A-Z]{2,5}"
# Docker's syslog driver names a container by its id, which may begin with a digit.
_SHORT = rf"(?P<time>{MONTH_DAY}) {_HOST} (?P<program>[A-Za-z_][\w./@+-]*|[\w./@+-]+(?=\[\d+\]))(?:\[\d+\])?:(?: |$)"
# With an ISO clock only a process number or the kernel tells it from a level and a module.
_LONG = rf"{_WEEKDAY}(?P<time>{ISO_T}|{_FULL}|\d{{10}}\.\d{{6}}) {_HOST} (?P<program>kernel(?=:)|[\w./@+-]+(?=\[\d+\]))(?:\[\d+\])?:(?: |$)"
_FORMS = (Prefix(_SHORT), Prefix(_LONG))


def detect(lines: Sequence[str]) -> Detection | None:
    """By clock, host, program and process number."""
    found = [plain(form.hits(lines), "clock, host and program") for form in _FORMS]
    return found[0] or found[1]


def _label(found: re.Match[bytes]) -> str:
    return (found["host"] + b" " + found["program"]).decode(errors="replace")


def unwrap(block: Block) -> Block:
    """The block without clock, host and program; host and program are the label."""
    for form in _FORMS:
        block = form.unwrap(block, _label)
    return block
