"""A log that grows → verdicts: when a launch dies or stops, and when a rule fires in it for the first time.

Each verdict is given once, and is what `analyze` says of the text of the launch that is kept.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from logscope.archive.fingerprint import fingerprint
from logscope.case import Case
from logscope.check import check
from logscope.diagnose import cases, diagnose
from logscope.finding import Finding, Severity
from logscope.kept import Kept
from logscope.launch import Launch
from logscope.log import Log, Window, read
from logscope.plain import plain
from logscope.report import report
from logscope.trigger import Pace, Trigger

_Name = tuple[frozenset[str] | None, int]  # of a launch: its stream and its first line
Event = Literal["died", "hung", "stopped", "ended", "finding", "revised", "last"]
SCHEMA = "logscope.watch/1"
LEVELS: tuple[Severity, ...] = ("note", "warning", "error")
_ENDS: Mapping[str, Event] = {
    "failed_startup": "died",
    "ready_then_crashed": "died",
    "hung": "hung",
    "stopped": "stopped",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said once: `data` is plain data, `report` that of the launch for whoever shows more."""

    event: Event
    data: Mapping[str, Any]
    report: Mapping[str, Any]


@dataclass(slots=True)
class _Said:
    """What was said of one launch, which is the `number`-th since following began."""

    number: int
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
        self.trigger = Trigger(pace or Pace(), clock())
        self.recognised = False  # whether any line was one that a server prints
        self._levels = LEVELS[LEVELS.index(threshold) :]
        self._clock = clock
        self._next_line = first_line
        self._file_first = 1  # the line with which the present file begins
        self._said: dict[_Name, _Said] = {}
        self._launches = 0
        self._beside: set[int] = set()  # numbers of lines beside those that were let go of

    def take(self, data: bytes, *, fresh: bool = False) -> None:
        """Take whole lines; `fresh` ones begin another file at the same path."""
        if fresh:
            self._file_first = self._next_line
        self.trigger.take(data, self._clock())
        self.kept.append(self._next_line, data)
        self._next_line += data.count(b"\n")

    def begins(self, line: bytes) -> None:
        """Show what stands of the line that is still being written."""
        if line == self.kept.unfinished:
            return
        self.kept.unfinished = line
        if line:
            self.trigger.begins(line, self._clock())

    @property
    def crowded(self) -> bool:
        """Whether a look should be taken before more lines are: while much is read at once, launches follow fast."""
        return self.trigger.urgent_since is not None and self.trigger.unseen_bytes > self.kept.budget_bytes // 2

    @property
    def due(self) -> bool:
        """Whether it is time for an analysis."""
        return self.trigger.due(self._clock())

    def verdicts(self) -> list[Verdict]:
        """Analyse what is kept, and say what was not said before."""
        if not self.kept.size and not self.kept.unfinished:
            return []
        started = self._clock()
        found: list[Verdict] = []
        try:
            log = self._log()
            running = {_stream(launch): launch for launch in log.launches}
            for launch in log.launches:
                found.extend(self._of_launch(log, launch, followed=running[_stream(launch)] is not launch))
            self._let_go(list(running.values()))
        finally:  # what fails now fails again with the same lines: it has its pauses as well
            self.trigger.looked(started, self._clock(), found=bool(found))
        return found

    def last(self) -> list[Verdict]:
        """What there is to say at the end: whatever was not said, else how the launch that runs stands."""
        found = self.verdicts() if self.trigger.unseen_bytes else []
        if found or not self.kept.size:
            return found
        log = self._log()
        running = {_stream(launch): launch for launch in log.launches}.values()
        return [
            self._verdict("last", log, launch, said)
            for launch in running
            if launch.ranks and not (said := self._said_of(launch)).ends
        ]

    def _log(self) -> Log:
        """What is kept, read as any log is."""
        log = read([self.kept], window=Window(), show_prompts=False, timezone="unstated")
        holes = self.kept.holes()
        self._beside = {*holes, *holes.values()}
        for one in log.inputs:  # a hole in the numbers is no line that was joined
            one.joined = {first: last for first, last in one.joined.items() if holes.get(first) != last + 1}
        return log

    def _said_of(self, launch: Launch) -> _Said:
        name = _stream(launch), max(launch.first.line, self.kept.first)
        if name not in self._said:
            self._said[name] = _Said(self._launches)
            self._launches += 1
        return self._said[name]

    def _of_launch(self, log: Log, launch: Launch, *, followed: bool) -> Iterator[Verdict]:
        if not launch.ranks:
            return
        self.recognised = True
        said = self._said_of(launch)
        event = _ENDS.get(Case(launch).state) or ("ended" if followed else None)
        judged = check([launch])
        rules = {found.rule for found in judged.findings if self._tells(found)} - said.rules
        cause = diagnose(cases([launch], judged)[0]).best.cause if event is not None else ""
        if event is not None and cause not in said.ends and not (event == "ended" and said.ends):
            yield self._verdict("revised" if said.ends else event, log, launch, said)
            said.ends.add(cause)
        elif rules:
            yield self._verdict("finding", log, launch, said)
        said.rules |= rules

    def _tells(self, found: Finding) -> bool:
        """Whether a finding is worth a word. What stands beside lines that were let go of may only seem so."""
        beside = any(ref.line in self._beside for ref in found.evidence)
        return found.severity in self._levels and found.role != "noise" and not beside

    def _verdict(self, event: Event, log: Log, launch: Launch, said: _Said) -> Verdict:
        data = report(replace(log, launches=(launch,))).data
        best, about = data["verdict"], data["launches"][0]
        fired = [
            self._finding(found)
            for found in data["findings"]
            if found["severity"] in self._levels
            and found["rule"] not in said.rules
            and found["role"] != "noise"
            and not any(line["line"] in self._beside for line in found["evidence"])
        ]
        told = {
            "schema": SCHEMA,
            "event": event,
            "path": self.kept.path,
            "launch": said.number,
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
            "fingerprint": _mark(fired) if event == "finding" else fingerprint(launch, best, about["state"])[0],
        }
        return Verdict(event, plain(told), data)

    def _finding(self, found: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: found.get(name) for name in ("rule", "severity", "rank", "title", "message")}
        return {**kept, "evidence": [self._placed(line) for line in found["evidence"]]}

    def _placed(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """A line; where its number counts on from files that were rotated away, its number in the present file too."""
        inside = line["line"] - self._file_first + 1
        return {**line, "file_line": inside} if self._file_first > 1 and inside > 0 else dict(line)

    def _let_go(self, running: Sequence[Launch]) -> None:
        """Forget the launches before those that run; lines are counted as their file counts them, where that can be."""
        first = min((launch.first.line for launch in running), default=0)
        if first > self.kept.first:
            self.kept.drop_before(first)
            self.trigger.forget()
        moved = self._file_first - 1 if self.kept.first >= self._file_first else 0
        begin = self.kept.first
        self.kept.shift(moved)
        self._next_line -= moved
        self._file_first -= moved
        self._said = {
            (stream, max(line, begin) - moved): said for (stream, line), said in self._said.items() if line >= first
        }


def _stream(launch: Launch) -> frozenset[str] | None:
    """What tells the servers of one file apart: the labels of their lines."""
    return launch.pieces[0].labels


def _mark(fired: Sequence[Mapping[str, Any]]) -> str:
    """The fingerprint of findings: which rules fired, whatever the numbers."""
    rules = " ".join(sorted({finding["rule"] for finding in fired}))
    return hashlib.sha256(rules.encode()).hexdigest()[:12]
