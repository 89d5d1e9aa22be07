r"""Syslog with its priority: RFC 3164 and RFC 5424, as collectors store it.

Sample:

    <134>Jan 12 02:47:08 gpu-node-1 sglang[4242]: [2026-01-12 02:47:08 TP0] a → [2026-01-12 02:47:08 TP0] a
    <14>1 2026-01-12T02:47:08.123Z gpu-node-1 sglang 4242 - - [2026-01-12 02:47:08] a → [2026-01-12 02:47:08] a
    <14>1 2026-01-12T02:47:08.123Z gpu-node-1 sglang 4242 - - ﻿ready → ready
    <14>1 2026-01-12T02:47:08.123Z gpu-node-1 sglang 4242 ID47 [x@1 pod="sglang-0"] [2026-01-12 02:47:08] a → [2026-01-12 02:47:08] a
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._clock import ISO_T, MONTH_DAY
from logscope.wrappers._prefix import Prefix, plain

NAME = "syslog"

_OLD = Prefix(rf"<\d{{1,3}}>(?P<time>{MONTH_DAY}) (?P<host>[\w.-]+) (?P<program>[\w./@+-]+)(?:\[\d+\])?:(?: |$)")
_NEW = Prefix(
    rf"<\d{{1,3}}>1 (?P<time>{ISO_T}|-) (?P<host>\S+) (?P<program>\S+) \S+ \S+ "
    r'(?:-|(?:\[[\w@.-]+(?: [\w@.-]+="(?:[^"\\\n]|\\.)*")*\])+)(?: |$)'
    "(?:\N{ZERO WIDTH NO-BREAK SPACE})?"  # the standard puts a byte order mark before a message in UTF-8
)


def detect(lines: Sequence[str]) -> Detection | None:
    """By the priority in angle brackets before a clock."""
    return plain(_NEW.hits(lines), "a syslog header") or plain(_OLD.hits(lines), "a syslog header")


def _label(found: re.Match[bytes]) -> str:
    return (found["host"] + b" " + found["program"]).decode(errors="replace")


def unwrap(block: Block) -> Block:
    """The block without the header; host and program are the label."""
    return _OLD.unwrap(_NEW.unwrap(block, _label), _label)
