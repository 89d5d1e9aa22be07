"""New lines of a log → whether it is time to analyse it; cheap, for it is asked of every line.

A line with the words of a failure, a start or a stop is urgent, and waits only until the log pauses, for a crash prints
for seconds. A kind of line that was not there before is news. Batch and access lines count by their number.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from logscope.facts.failures import ENDS, EVIDENCE, RECORDS
from logscope.kept import hot_line
from logscope.launch import BEGINS, FAILING
from logscope.shapes import families

_URGENT = {*EVIDENCE, *RECORDS, *ENDS, *FAILING, *BEGINS, "server_args", "shutdown"}
_NOT_WORDS = re.compile(rb"[^A-Za-z ]+")
_KIND_BYTES = 160  # of a line that tell its kind
_MOST_KINDS = 20_000
_FIRST_HOT_LINES = 500
_LONGEST_HOT_BYTES = 2048
_MOST_DOUBLINGS = 16


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait, in seconds: for a pause after a failing line, at most, in silence, between looks at all."""

    settle_s: float = 2.0
    most_s: float = 15.0
    silence_s: float = 30.0
    period_s: float = 600.0
    share: float = 0.1  # of the time that analyses may take while lines keep coming


@functools.cache
def urgent() -> re.Pattern[bytes]:
    """Literals of the lines that failures, starts and stops are told by."""
    literals = {b"Traceback (most recent call last)"}
    for name in _URGENT & families().keys():
        for shape in families()[name].shapes:
            literals.update(text.encode() for text in (*shape.starts, shape.contains) if len(text) >= 6)
    return re.compile(rb"|".join(re.escape(literal) for literal in sorted(literals, key=len, reverse=True)))


class Trigger:
    """What came since the last look, and whether the next is due. Times are seconds of any clock that goes forward."""

    def __init__(self, pace: Pace, now: float) -> None:
        self.pace = pace
        self.unseen_bytes = 0
        self.urgent_since: float | None = None
        self._news_since: float | None = None
        self._last_bytes = self._last_look = now
        self._not_before = 0.0
        self._false_alarms = self._idle = 0  # looks for nothing, one behind the other
        self.forget()

    def forget(self) -> None:
        """Another launch runs: every kind of line is new again."""
        self._kinds: set[bytes] = set()
        self._hot, self._hot_due = 0, _FIRST_HOT_LINES

    def take(self, data: bytes, now: float) -> None:
        """Look at whole lines."""
        self._last_bytes = now
        self.unseen_bytes += len(data)
        for line in data[:-1].split(b"\n"):
            if len(line) < _LONGEST_HOT_BYTES and hot_line().search(line):
                self._hot += 1
                continue
            kind = _NOT_WORDS.sub(b"#", line[: 2 * _KIND_BYTES])[:_KIND_BYTES]
            if kind not in self._kinds:
                if len(self._kinds) >= _MOST_KINDS:
                    self._kinds.clear()
                self._kinds.add(kind)
                self._news_since = now if self._news_since is None else self._news_since
            if self.urgent_since is None and urgent().search(line):
                self.urgent_since = now

    def begins(self, line: bytes, now: float) -> None:
        """Look at a line that is still being written."""
        self._last_bytes = now
        self.unseen_bytes += len(line)
        if self.urgent_since is None and urgent().search(line):
            self.urgent_since = now

    def due(self, now: float) -> bool:
        """Whether it is time to analyse."""
        if not self.unseen_bytes:
            return False
        pace, quiet = self.pace, now - self._last_bytes
        if self.urgent_since is not None:
            patience = min(pace.most_s * 2.0**self._false_alarms, pace.period_s)
            return quiet >= pace.settle_s or (now - self.urgent_since >= patience and now >= self._not_before)
        if now < self._not_before:
            return False
        # A server that idles prints a line now and then: each of its silences is worth less than the one before.
        if quiet >= pace.silence_s and now - self._last_look >= min(pace.silence_s * 2.0**self._idle, pace.period_s):
            return True
        if self._news_since is not None:
            return quiet >= pace.settle_s or now - self._news_since >= pace.most_s
        return self._hot >= self._hot_due or now - self._last_look >= pace.period_s

    def looked(self, started: float, now: float, *, found: bool) -> None:
        """An analysis was made from `started` to `now`, and there was something to tell or not."""
        was_urgent = self.urgent_since is not None
        self.urgent_since, self._news_since, self.unseen_bytes = None, None, 0
        while self._hot_due <= self._hot:
            self._hot_due *= 2
        self._last_look = now
        self._not_before = now + (now - started) * (1 / self.pace.share - 1)
        self._false_alarms = 0 if found or not was_urgent else min(self._false_alarms + 1, _MOST_DOUBLINGS)
        self._idle = 0 if found else min(self._idle + 1, _MOST_DOUBLINGS)
