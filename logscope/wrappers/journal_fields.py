r"""journald with a field a line (`journalctl -o export`, `-o verbose`): the message of each entry; other fields go.

The export form is `NAME=text`, with an empty line behind an entry; a message with control characters is binary: its name
alone, eight bytes of length, the text. The verbose form begins an entry with its clock and indents the fields.

Sample:

    __CURSOR=s=0639f8;i=7d1;b=f00d
    __REALTIME_TIMESTAMP=1768186028123456
    _HOSTNAME=gpu-01
    _CMDLINE=python3 -m sglang.launch_server --model-path /m
    MESSAGE=[2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    Mon 2026-01-12 02:47:08.123456 UTC [s=0639f8;i=7d1;b=f00d;m=1;t=2;x=3]
        _HOSTNAME=gpu-01
        MESSAGE=  File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Unwrapper
from logscope.wrappers._clock import moment_ms
from logscope.wrappers._inner import written
from logscope.wrappers._lines import NO_TIME, lines_of, no_lines

NAME = "journal_fields"
WHOLE = True  # an entry is several lines

_FIELD = re.compile(r" {0,4}_{0,2}[A-Z][A-Z0-9_]{1,62}=")
_MESSAGE = re.compile(rb" {0,4}MESSAGE=(.*)")
_CLOCK = re.compile(
    rb"__REALTIME_TIMESTAMP=(\d+)|[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})? [A-Z]{2,5}) \[s="
)
_HOST = re.compile(rb" {0,4}_HOSTNAME=(.+)")
_BINARY = re.compile(rb".{0,8}?(?=[\x1b\r\t]|\[\d)|.{8}", re.DOTALL)  # the length before a text; zeros may be lost


def detect(lines: Sequence[str]) -> Detection | None:
    """By the fields of journald on most lines, a message among them."""
    sample = written(lines)
    fields = sum(1 for line in sample if _FIELD.match(line))
    messages = sum(1 for line in sample if line.lstrip(" ").startswith("MESSAGE"))
    journal = any(line.lstrip(" ").startswith(("__CURSOR=", "_HOSTNAME=", "_PID=", "_BOOT_ID=")) for line in sample)
    if not messages or not journal or fields < 0.6 * len(sample):
        return None
    return Detection("certain", f"{fields} of {len(sample)} lines are fields of journald, {messages} of them messages")


class _Fields:
    """Takes the message of each entry; remembers its clock, its host, and that a binary message follows."""

    def __init__(self) -> None:
        self._time_ms = NO_TIME
        self._host = ""
        self._binary = False

    def feed(self, block: Block) -> Block:
        given, out = lines_of(block), no_lines(block.path)
        for place, text in enumerate(given.texts):
            message = self._message(text)
            if message is None:
                continue
            out.add(given, place, message)
            out.time(len(out.texts) - 1, self._time_ms)
            out.label(len(out.texts) - 1, self._host)
        out.ended = given.ended or not (given.texts and _MESSAGE.match(given.texts[-1]))
        return out.block()

    def _message(self, text: bytes) -> bytes | None:
        if self._binary:
            self._binary = False
            found = _BINARY.match(text)
            return text[found.end() :] if found else text
        if clock := _CLOCK.match(text):
            self._time_ms = moment_ms(clock[1] or clock[2])
        elif host := _HOST.match(text):
            self._host = host[1].decode(errors="replace")
        self._binary = text == b"MESSAGE"
        found = _MESSAGE.match(text)
        return found[1] if found else None

    def finish(self) -> Block | None:
        return None


def unwrapper(_: Sequence[str] = ()) -> Unwrapper:
    """Remembers clock and host across blocks."""
    return _Fields()


def unwrap(block: Block) -> Block:
    """One whole export, a message a line."""
    return unwrapper().feed(block)
