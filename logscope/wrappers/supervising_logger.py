r"""A program that starts the server and logs its lines again, or a logging configuration of the user's own.

Python's usual forms, hydra and loguru. Where SGLang's prefix stands behind it, the logger's clock is the outer one. Where
it never does, the logger's is the only clock: lines get SGLang's prefix with it, so that they begin records and
continuation lines (tracebacks) do not.

Sample:

    2026-01-01 10:00:00,123 - olmocr - INFO - [2026-01-01 10:00:00 TP0] Decode batch → [2026-01-01 10:00:00 TP0] Decode batch
    2026-01-01 10:00:00,124 - olmocr - INFO -   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    2025-07-05 17:27:14 - ERROR - [2025-07-05 17:27:14] Watchdog timeout → [2025-07-05 17:27:14] Watchdog timeout
    [2026-01-01 10:00:00,123][sglang.srt.server][WARNING] - Decode batch → Decode batch
    2026-01-01 10:00:00.123 | INFO     | serve.launch:pump:12 - [2026-01-01 10:00:00] a → [2026-01-01 10:00:00] a
    INFO:root:[2026-01-01 10:00:00] a → [2026-01-01 10:00:00] a
    2026-01-01 10:00:00,123 INFO serve [2026-01-01 10:00:00] a → [2026-01-01 10:00:00] a
    2026-01-01 10:00:00,124 INFO serve   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    2026-06-01 10:00:00,123 [Daemon gpu=0 tp_rank=0] INFO a → 2026-06-01 10:00:00,123 [Daemon gpu=0 tp_rank=0] INFO a
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper, stack
from logscope.wrappers._clock import moment_ms
from logscope.wrappers._inner import STAMPED, holds_stamp
from logscope.wrappers._lines import lines_of
from logscope.wrappers._prefix import Prefix

NAME = "supervising_logger"

_CLOCK = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?"
_LEVEL = r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|SUCCESS)"
_LOGGER = r"[A-Za-z_][\w./:-]*(?: ?\[[^\]\n]*\])?"
_DASHES = rf"(?P<time>{_CLOCK}) - (?:(?!{_LEVEL} ){_LOGGER} - )?{_LEVEL} +- (?:{_LOGGER} - (?={STAMPED.pattern}))?"
_HYDRA = rf"\[(?P<hydra>{_CLOCK})\] ?\[{_LOGGER}\] ?\[{_LEVEL}\](?: -)? "
_LOGURU = rf"(?P<loguru>{_CLOCK}) \| {_LEVEL} *\| [\w.<>]+:[\w<>]+:\d+ - "
# Forms in which other programs of the same log write records of their own: only where SGLang's prefix follows,
# or, once the sample has shown that, before the lines that go on from one with it.
_OTHER = (
    rf"(?:{_LEVEL}:{_LOGGER}:|\[?(?P<other>{_CLOCK})\]?(?: \[?{_LOGGER}\]?:?)?"
    rf" +\[?{_LEVEL}\]?:?(?: +\[?{_LOGGER}\]?:?)?(?: -)? ?)"
)
_STRICT = Prefix(rf"(?:{_DASHES}|{_HYDRA}|{_LOGURU}|{_OTHER} *(?={STAMPED.pattern}))")
_BASIC = re.compile(rf"{_LEVEL}:(?!sglang)({_LOGGER}):{STAMPED.pattern}")


def detect(lines: Sequence[str]) -> Detection | None:
    """By a logger's clock, name and level before most records, with texts of SGLang behind them."""
    hits = _STRICT.hits(lines)
    if not hits.proven or hits.bare > 0.5 * hits.fitting:
        return None
    return Detection("certain" if hits.stamped else "likely", hits.told("a logger's clock and level"))


def _stripped(prefix: Prefix, block: Block, *, lend: bool) -> Block:
    lines = lines_of(block)
    match = prefix.raw.match
    for place, text in enumerate(lines.texts):
        found = match(text)
        if found is None:
            continue
        lines.texts[place] = text[found.end() :]
        time = found["time"] or found["hydra"] or found["loguru"] or found["other"] or b""
        if time and lend and not lines.texts[place][:1].isspace():
            clock = time.replace(b"T", b" ").replace(b",", b".")
            lines.texts[place] = b"[%b] %b" % (clock[:23] if len(clock) >= 23 else clock[:19], lines.texts[place])
        else:
            lines.time(place, moment_ms(time))
    return lines.block()


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """The logger's clock goes to `outer_times`, or into SGLang's prefix if the sample shows no other one."""
    rests = [line[found.end() :] for line in lines if (found := _STRICT.text.match(line))]
    # Who logs a traceback line by line relays what another program wrote: nothing may be put into it.
    lend = not any(holds_stamp(rest) or rest.startswith('  File "') for rest in rests) and not stack(rests)
    return Stateless(partial(_stripped, _STRICT if lend else _wide(lines), lend=lend))


def _wide(lines: Sequence[str]) -> Prefix:
    """The prefix before lines that go on, too; before any line where a logger without a clock is known by its name."""
    names = {found[1] for line in lines if (found := _BASIC.match(line))}
    named = rf"|{_LEVEL}:(?:{'|'.join(map(re.escape, sorted(names)))}):" if names else ""
    return Prefix(rf"(?:{_DASHES}|{_HYDRA}|{_LOGURU}|{_OTHER}(?: *(?={STAMPED.pattern})|(?=  )|$){named})")


def unwrap(block: Block) -> Block:
    """One whole input without the logger's prefix."""
    return unwrapper(block.data.decode(errors="replace").split("\n")).feed(block)
