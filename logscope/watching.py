"""A log that grows → verdicts: when a launch dies or stops, and when a rule fires in it for the first time.

New lines are only looked at for the words of a failure, a start or a stop, and for kinds of lines that were not there
before. Such a line makes an analysis due, which waits until the log pauses, for a crash prints for seconds. Analyses
take a bounded share of the time, and each verdict is given once.
"""

from __future__ import annotations

import functools
import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from logscope.archive.fingerprint import fingerprint
from logscope.case import Case
from logscope.facts.failures import ENDS, EVIDENCE, RECORDS
from logscope.finding import Severity
from logscope.kept import Kept, hot_line
from logscope.launch import BEGINS, FAILING, Launch
from logscope.log import Log, Window, read
from logscope.plain import plain
from logscope.report import report
from logscope.shapes import families

Event = Literal["died", "hung", "stopped", "ended", "finding", "revised", "last"]
SCHEMA = "logscope.watch/1"
LEVELS: tuple[Severity, ...] = ("note", "warning", "error")
_ENDS: Mapping[str, Event] = {
    "failed_startup": "died",
    "ready_then_crashed": "died",
    "hung": "hung",
    "stopped": "stopped",
}
_URGENT = {*EVIDENCE, *RECORDS, *ENDS, *FAILING, *BEGINS, "server_args", "shutdown"}
_NOT_WORDS = re.compile(rb"[^A-Za-z ]+")
_KIND_BYTES = 160  # of a line that tell its kind
_MOST_KINDS = 20_000
_FIRST_HOT_LINES = 500


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait, in seconds: for a pause after a failing line, at most, in silence, between looks at all."""

    settle_s: float = 2.0
    most_s: float = 15.0
    silence_s: float = 30.0
    period_s: float = 600.0
    share: float = 0.1  # of the time that analyses may take while lines keep coming


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said once: `data` is plain data, `report` that of the launch for whoever shows more."""

    event: Event
    data: Mapping[str, Any]
    report: Mapping[str, Any]


@functools.cache
def urgent() -> re.Pattern[bytes]:
    """Literals of the lines that failures, starts and stops are told by."""
    literals = {b"Traceback (most recent call last)"}
    for name in _URGENT & families().keys():
        for shape in families()[name].shapes:
            literals.update(text.encode() for text in (*shape.starts, shape.contains) if len(text) >= 6)
    return re.compile(rb"|".join(re.escape(literal) for literal in sorted(literals, key=len, reverse=True)))


@dataclass(slots=True)
class _Said:
    """What was said of the launch that runs."""

    ends: set[str] = field(default_factory=set)  # causes
    rules: set[str] = field(default_factory=set)


class Watched:
    """One log that is followed, with the text of the launch that runs in it.

    `now` is any clock of seconds that only goes forward. `threshold` is the severity from which a rule is told of.
    """

    def __init__(
        self,
        path: str,
        *,
        threshold: Severity = "error",
        pace: Pace | None = None,
        budget_bytes: int = 16 << 20,
        first_line: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.kept = Kept(path, budget_bytes)
        self.pace = pace or Pace()
        self.launches_before = 0  # of those that were let go of
        self._levels = LEVELS[LEVELS.index(threshold) :]
        self._clock = clock
        self._next_line = first_line
        self._file_first = 1  # the line with which the present file begins
        self._said = _Said()
        self._kinds: set[bytes] = set()
        self._hot = 0
        self._hot_due = _FIRST_HOT_LINES
        self._unseen = False  # lines that no analysis has seen
        self._unseen_bytes = 0
        self._urgent_since: float | None = None
        self._news_since: float | None = None
        self._last_bytes = self._last_look = clock()
        self._not_before = 0.0
        self._fruitless = 0

    def take(self, data: bytes, *, fresh: bool = False) -> None:
        """Take whole lines; `fresh` ones begin another file at the same path."""
        now = self._last_bytes = self._clock()
        if fresh:
            self._file_first = self._next_line
        self._unseen, self._unseen_bytes = True, self._unseen_bytes + len(data)
        for line in data[:-1].split(b"\n"):
            self._look_at(line, now)
        self.kept.append(self._next_line, data)
        self._next_line += data.count(b"\n")

    def begins(self, line: bytes) -> None:
        """Show what stands of the line that is still being written."""
        if line == self.kept.unfinished:
            return
        self.kept.unfinished = line
        if line:
            self._last_bytes, self._unseen = self._clock(), True
            if self._urgent_since is None and urgent().search(line):
                self._urgent_since = self._last_bytes

    def _look_at(self, line: bytes, now: float) -> None:
        if hot_line().search(line) and len(line) < 2048:
            self._hot += 1
            return
        kind = _NOT_WORDS.sub(b"#", line[: 2 * _KIND_BYTES])[:_KIND_BYTES]
        if kind not in self._kinds:
            if len(self._kinds) >= _MOST_KINDS:
                self._kinds.clear()
            self._kinds.add(kind)
            self._news_since = now if self._news_since is None else self._news_since
        if self._urgent_since is None and urgent().search(line):
            self._urgent_since = now

    @property
    def crowded(self) -> bool:
        """Whether a look should be taken before more lines are: while much is read at once, launches follow fast."""
        return self._urgent_since is not None and self._unseen_bytes > self.kept.budget_bytes // 2

    @property
    def due(self) -> bool:
        """Whether it is time for an analysis."""
        if not self._unseen:
            return False
        now, pace = self._clock(), self.pace
        quiet = now - self._last_bytes
        if self._urgent_since is not None:
            patience = min(pace.most_s * 2.0**self._fruitless, pace.period_s)
            return quiet >= pace.settle_s or (now - self._urgent_since >= patience and now >= self._not_before)
        if quiet >= pace.silence_s:
            return True
        if now < self._not_before:
            return False
        if self._news_since is not None:
            return quiet >= pace.settle_s or now - self._news_since >= pace.most_s
        return self._hot >= self._hot_due or now - self._last_look >= pace.period_s

    def verdicts(self) -> list[Verdict]:
        """Analyse what is kept, and say what was not said before."""
        if not self.kept.size and not self.kept.unfinished:
            return []
        started = self._clock()
        was_urgent = self._urgent_since is not None
        self._urgent_since, self._news_since = None, None
        self._unseen, self._unseen_bytes = False, 0
        while self._hot_due <= self._hot:
            self._hot_due *= 2
        log = read([self.kept], window=Window(), show_prompts=False, timezone="unstated")
        found = [verdict for launch in log.launches for verdict in self._of_launch(log, launch)]
        if len(log.launches) > 1:
            self._let_go(log.launches[-1].first.line, len(log.launches) - 1)
        self._last_look = now = self._clock()
        self._not_before = now + (now - started) * (1 / self.pace.share - 1)
        self._fruitless = 0 if found or not was_urgent else min(self._fruitless + 1, 16)
        return found

    def last(self) -> list[Verdict]:
        """What there is to say at the end: whatever was not said, else how the launch that runs stands."""
        found = self.verdicts() if self._unseen else []
        if found or self._said.ends or not self.kept.size:
            return found
        log = read([self.kept], window=Window(), show_prompts=False, timezone="unstated")
        return [self._verdict("last", log, launch, ()) for launch in log.launches[-1:] if len(launch.ranks)]

    def _of_launch(self, log: Log, launch: Launch) -> Iterator[Verdict]:
        if launch.id:
            self._said = _Said()
        if not launch.ranks:
            return
        followed = launch.id < len(log.launches) - 1
        event = _ENDS.get(Case(launch).state) or ("ended" if followed else None)
        verdict = self._verdict(event or "finding", log, launch, self._said.rules)
        rules = {finding["rule"] for finding in verdict.data.get("findings", ())}
        cause = verdict.data["cause"]
        ended_anew = event is not None and cause not in self._said.ends and not (event == "ended" and self._said.ends)
        if ended_anew or rules:
            yield (
                replace(verdict, event="revised", data={**verdict.data, "event": "revised"})
                if (ended_anew and self._said.ends)
                else verdict
                if ended_anew
                else self._as_finding(verdict)
            )
        self._said.rules |= rules
        if event is not None:
            self._said.ends.add(cause)

    @staticmethod
    def _as_finding(verdict: Verdict) -> Verdict:
        rules = " ".join(sorted({finding["rule"] for finding in verdict.data["findings"]}))
        mark = hashlib.sha256(rules.encode()).hexdigest()[:12]
        return replace(verdict, event="finding", data={**verdict.data, "event": "finding", "fingerprint": mark})

    def _verdict(self, event: Event, log: Log, launch: Launch, said: Sequence[str] | set[str]) -> Verdict:
        data = report(replace(log, launches=(launch,))).data
        best, about = data["verdict"], data["launches"][0]
        beside = self.kept.holes()
        fired = [
            self._finding(found)
            for found in data["findings"]
            if found["severity"] in self._levels
            and found["rule"] not in said
            and found["role"] != "noise"
            and not any(line["line"] in beside for line in found["evidence"])
        ]
        told = {
            "schema": SCHEMA,
            "event": event,
            "path": self.kept.path,
            "launch": self.launches_before + launch.id,
            "state": about["state"],
            "time": about.get("end"),
            "release": about["release"],
            "cause": best["cause"],
            "title": best.get("title"),
            "confidence": best["confidence"],
            "fraction": best["fraction"],
            "fraction_range": best.get("fraction_range"),
            "sentence": best["sentence"],
            "evidence": [self._placed(line) for line in best["evidence"]],
            "actions": [action["do"] for action in best["actions"]],
            "findings": fired,
            "fingerprint": fingerprint(launch, best, about["state"])[0],
        }
        return Verdict(event, plain(told), data)

    def _finding(self, found: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: found.get(name) for name in ("rule", "severity", "rank", "title", "message")}
        return {**kept, "evidence": [self._placed(line) for line in found["evidence"]]}

    def _placed(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """A line; where its number counts on from files that were rotated away, its number in the present file too."""
        inside = line["line"] - self._file_first + 1
        return {**line, "file_line": inside} if self._file_first > 1 and inside > 0 else dict(line)

    def _let_go(self, first_line: int, launches: int) -> None:
        """Forget the launches before the one that runs; its lines are counted as its file counts them."""
        self.kept.drop_before(first_line)
        self.launches_before += launches
        self._kinds.clear()
        self._hot, self._hot_due = 0, _FIRST_HOT_LINES
        if self.kept.first >= self._file_first > 1:
            moved = self._file_first - 1
            self.kept.shift(moved)
            self._next_line -= moved
            self._file_first = 1
