"""The runs of a scan → what the index page tells: failures that look alike, causes over time, and who is hit."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]
COLUMNS = (
    *("run", "path", "source", "cause", "confidence", "sentence", "state", "healthy", "fingerprint", "signature"),
    *("start", "end", "ready_s", "model", "host", "release_lo", "release_hi", "errors", "warnings", "fraction"),
    *("evidence_line", "evidence", "error_kind", "error", "lines", "recognised", "same_content_as"),
)
_NEVER = datetime.datetime(9999, 12, 31)


@dataclass(slots=True)
class Cluster:
    """Runs with one fingerprint. `first` is the earliest of them; `new`: none of them is older than the baseline."""

    fingerprint: str
    runs: list[Row] = field(default_factory=list)
    new: bool = False

    @property
    def first(self) -> Row:
        return self.runs[0]

    @property
    def span(self) -> tuple[datetime.datetime, datetime.datetime] | None:
        """When the first and the last dated run began; none when no run has a date."""
        known = [time for row in self.runs if (time := moment(row))]
        return (known[0], known[-1]) if known else None

    def counted(self, key: Callable[[Row], str | None]) -> list[tuple[str, int]]:
        """How many of the runs have each value, the most first."""
        return _ranked(Counter(value for row in self.runs if (value := key(row))))


def failed(row: Row) -> bool:
    """Whether a run shows a server that is not well; a log that says nothing about one does not count."""
    return bool(row.get("cause")) and not row["healthy"] and row["cause"] != "not_enough_evidence"


def moment(row: Row) -> datetime.datetime | None:
    """When a run began, or, without that, ended, on the log's clock."""
    found: datetime.datetime | None = row.get("start") or row.get("end")
    return found


def in_time(rows: Iterable[Row], key: str = "path") -> list[Row]:
    """The rows by their time, then by a column; undated ones last."""
    return sorted(rows, key=lambda row: (moment(row) or _NEVER, row[key]))


def clusters(rows: Iterable[Row], *, known: frozenset[str], since: datetime.datetime | None) -> list[Cluster]:
    """The failures, the most frequent first.

    One is new when the baseline does not know its fingerprint, or when its first run is not before `since`; without a
    baseline nothing is new.
    """
    found: dict[str, Cluster] = {}
    for row in in_time(row for row in rows if failed(row)):
        found.setdefault(row["fingerprint"], Cluster(row["fingerprint"])).runs.append(row)
    for cluster in found.values():
        first = moment(cluster.first)
        cluster.new = bool(known) and cluster.fingerprint not in known
        cluster.new |= since is not None and first is not None and first >= since
    return sorted(found.values(), key=lambda c: (not c.new, -len(c.runs), c.first["path"]))


def release(row: Row) -> str | None:
    """The release as a text; none where nothing of it is known."""
    lo, hi = row.get("release_lo"), row.get("release_hi")
    if not lo and not hi:
        return None
    return lo if lo == hi else f"{lo or '…'} – {hi or '…'}"


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that share a release, a model or a host: how many, how many healthy, and the causes of the others."""

    name: str
    runs: int
    healthy: int
    causes: Sequence[tuple[str, int]]


def groups(rows: Sequence[Row], key: Callable[[Row], str | None], *, most: int) -> list[Group]:
    """The groups with the most failures first; what has no value is one group, `not known`."""
    gathered: dict[str, list[Row]] = {}
    for row in rows:
        if row.get("cause"):
            gathered.setdefault(key(row) or "not known", []).append(row)
    made = [
        Group(
            name,
            len(held),
            sum(bool(row["healthy"]) for row in held),
            _ranked(Counter(row["cause"] for row in held if failed(row))),
        )
        for name, held in gathered.items()
    ]
    return sorted(made, key=lambda g: (-sum(count for _, count in g.causes), -g.runs, g.name))[:most]


@dataclass(frozen=True, slots=True)
class Course:
    """Failures over time: equal bins from `begin` on, `hours` wide, and how often each cause fell into each."""

    begin: datetime.datetime
    hours: int
    bins: int
    causes: Mapping[str, Sequence[int]]
    undated: int


def course(rows: Iterable[Row], *, most_bins: int = 48) -> Course | None:
    """Failures by the time of their end; none when no failure has a date."""
    failures = [row for row in rows if failed(row)]
    dated = [(row["end"] or row["start"], row["cause"]) for row in failures if row.get("end") or row.get("start")]
    if not dated:
        return None
    first, last = min(t for t, _ in dated), max(t for t, _ in dated)
    hours = _bin_hours((last - first).total_seconds() / 3600, most_bins)
    begin = first.replace(hour=first.hour - first.hour % min(hours, 24), minute=0, second=0, microsecond=0)
    bins = int((last - begin).total_seconds() // 3600 // hours) + 1
    causes: dict[str, list[int]] = {}
    for time, cause in dated:
        causes.setdefault(cause, [0] * bins)[int((time - begin).total_seconds() // 3600 // hours)] += 1
    ranked = dict(sorted(causes.items(), key=lambda item: (-sum(item[1]), item[0])))
    return Course(begin, hours, bins, ranked, len(failures) - len(dated))


def _bin_hours(span_hours: float, most_bins: int) -> int:
    widths = (1, 3, 6, 12, 24, 48, 168, 336, 720, 2160, 8760)
    return next((width for width in widths if span_hours / width <= most_bins - 1), widths[-1] * 4)


def worst(rows: Sequence[Row], found: Sequence[Cluster], most: int) -> list[Row]:
    """The runs whose reports are worth writing: the first of each failure, new ones first, then by their errors."""
    chosen = {cluster.first["run"]: cluster.first for cluster in found}
    others = sorted((row for row in rows if failed(row)), key=lambda row: (-(row.get("errors") or 0), row["path"]))
    for row in others:
        chosen.setdefault(row["run"], row)
    return list(chosen.values())[:most]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
