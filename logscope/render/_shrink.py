"""A report made small enough to be attached: series are binned, texts and lists cut by rule, and every cut is noted.

The page is rendered at the first level; while it is over the soft limit the next level is tried. The last level keeps
the verdict and the coverage only, so that no log can make a page beyond the hard limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from logscope.render._order import ordered_findings, ordered_launches
from logscope.render._reading import Report, finite, part, parts, values, whole

SOFT_BYTES = 1_000_000
HARD_BYTES = 5_000_000
_POINT_BYTES = 40  # of a page, for one point of a series: its drawing and its numbers in the data


@dataclass(frozen=True, slots=True)
class Level:
    """What is kept at one level."""

    points: int  # of a series
    characters: int  # of a text
    excerpts: int
    excerpt_lines: int
    findings: int
    entries: int  # of any other list or mapping
    launches: int
    others: bool  # series and events of launches that the verdict is not about


LEVELS = (
    Level(240, 4096, 120, 60, 400, 500, 100, True),
    Level(120, 2048, 60, 25, 150, 150, 50, False),
    Level(60, 800, 30, 11, 60, 60, 20, False),
    Level(30, 300, 12, 5, 25, 24, 4, False),
    Level(0, 300, 0, 0, 5, 12, 1, False),
)
_RECORD_ENTRIES = 40  # of a mapping: no record of the schema has so many, so only open ones such as arguments are cut
_RULES_NAMED = 6


@dataclass(slots=True)
class Cuts:
    """What was cut, counted by its kind."""

    counted: Counter[str] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)

    def notes(self) -> list[str]:
        return self.said + [f"{kind}: {count:,}" for kind, count in sorted(self.counted.items())]


def levels(report: Report) -> tuple[Level, ...]:
    """The levels worth trying: those at which the points of the series alone exceed the soft limit are left out."""
    fatal = part(report, "verdict").get("launch")
    for number, level in enumerate(LEVELS):
        points = sum(
            min(len(values(one, "t")), level.points)
            for launch in parts(report, "launches")[: level.launches]
            if level.others or launch.get("id") == fatal
            for one in parts(launch, "series")[: level.entries]
        )
        if points * _POINT_BYTES <= SOFT_BYTES:
            return LEVELS[number:]
    return LEVELS[-1:]


def shrunk(report: Report, level: Level) -> tuple[dict[str, Any], list[str]]:
    """The report at a level, and one sentence for each kind of cut."""
    cuts = Cuts()
    kept: dict[str, Any] = {}
    fatal = part(report, "verdict").get("launch")
    for key, value in report.items():
        if key == "launches":
            kept[key] = _launches(parts(report, key), fatal, level, cuts)
        elif key == "findings":
            kept[key] = _findings(report, level, cuts)
        elif key == "excerpts":
            kept[key] = _excerpts(parts(report, key), level, cuts)
        else:
            kept[key] = _cut(value, level, cuts, key)
    return kept, cuts.notes()


def _launches(launches: list[Report], fatal: object, level: Level, cuts: Cuts) -> list[dict[str, Any]]:
    if len(launches) > level.launches:
        chosen = {id(one) for one in ordered_launches(launches, fatal)[: level.launches]}
        cuts.said.append(
            f"{len(chosen):,} of {len(launches):,} launches are kept: that of the verdict, then those that ended badly"
        )
        launches = [one for one in launches if id(one) in chosen]
    return [_launch(one, level, cuts, full=level.others or one.get("id") == fatal) for one in launches]


def _launch(launch: Report, level: Level, cuts: Cuts, *, full: bool) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in launch.items():
        if key == "series":
            if full and level.points:
                kept[key] = [_binned(one, level, cuts) for one in parts(launch, key)[: level.entries]]
            elif parts(launch, key):
                cuts.counted["launches shown without their series over time"] += 1
        elif key in ("events", "memory", "configuration", "facts", "phases") and not (full and level.points):
            cuts.counted[f"launches shown without their {key}"] += 1
        else:
            kept[key] = _cut(value, level, cuts, key)
    return kept


def _findings(report: Report, level: Level, cuts: Cuts) -> list[Any]:
    findings = parts(report, "findings")
    if len(findings) > level.findings:
        ranked = ordered_findings(report)
        cuts.said.append(
            f"{level.findings:,} of {len(findings):,} findings are kept, roots first, then errors before warnings, and "
            f"one of each rule before its repetitions; left out: {_counted(ranked[level.findings :])}"
        )
        chosen = {id(one) for one in ranked[: level.findings]}
        findings = [one for one in findings if id(one) in chosen]
    return [_cut(one, level, cuts, "findings") for one in findings]


def _counted(findings: Sequence[Report]) -> str:
    """`300 of MEM101, 12 of CRA101 and 4 more`."""
    rules = Counter(str(one.get("rule")) for one in findings).most_common()
    named = ", ".join(f"{count:,} of {rule}" for rule, count in rules[:_RULES_NAMED])
    more = sum(count for _, count in rules[_RULES_NAMED:])
    return f"{named} and {more:,} more" if more else named


def _excerpts(excerpts: list[Report], level: Level, cuts: Cuts) -> list[Any]:
    if len(excerpts) > level.excerpts:
        cuts.said.append(f"{level.excerpts:,} of {len(excerpts):,} excerpts are kept: those of the first findings")

        def weight(number: int) -> int:
            return whole(excerpts[number], "finding") if "finding" in excerpts[number] else -1

        ranked = sorted(range(len(excerpts)), key=weight)
        excerpts = [excerpts[number] for number in sorted(ranked[: level.excerpts])]
    return [_excerpt(one, level, cuts) for one in excerpts]


def _excerpt(excerpt: Report, level: Level, cuts: Cuts) -> Any:
    lines = excerpt.get("lines")
    if not isinstance(lines, Sequence) or isinstance(lines, str) or len(lines) <= level.excerpt_lines:
        return _cut(excerpt, level, cuts, "excerpts")
    first = whole(excerpt, "first")
    marked = [int(mark) for mark in map(finite, values(excerpt, "marked")) if mark is not None]
    at = (marked[0] - first if marked else 0) - level.excerpt_lines // 2
    begin = max(0, min(at, len(lines) - level.excerpt_lines))
    cuts.counted["lines left out of excerpts"] += len(lines) - level.excerpt_lines
    part = {**excerpt, "first": first + begin, "lines": lines[begin : begin + level.excerpt_lines]}
    return _cut(part, level, cuts, "excerpts")


def _cut(value: Any, level: Level, cuts: Cuts, name: str) -> Any:
    """Any value with its texts and lists cut to the level; `name` says in the ledger whose entries were left out."""
    if isinstance(value, str):
        return _text(value, level, cuts)
    if isinstance(value, Mapping):
        names = list(value)[: max(level.entries, _RECORD_ENTRIES)]
        _leave_out(len(value) - len(names), name, cuts)
        return {_text(str(key), level, cuts): _cut(value[key], level, cuts, str(key)) for key in names}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        _leave_out(len(value) - level.entries, name, cuts)
        return [_cut(item, level, cuts, name) for item in value[: level.entries]]
    return value


def _leave_out(count: int, name: str, cuts: Cuts) -> None:
    if count > 0:
        cuts.counted[f"entries left out of {name[:40].replace('_', ' ')}"] += count


def _text(value: str, level: Level, cuts: Cuts) -> str:
    if len(value) <= level.characters:
        return value
    cuts.counted[f"texts cut after {level.characters:,} characters"] += 1
    return f"{value[: level.characters]} … [{len(value):,} characters in all]"


def _binned(series: Report, level: Level, cuts: Cuts) -> dict[str, Any]:
    """A series of at most so many points; each keeps the least and the largest value of those it stands for."""
    times = [finite(t) for t in values(series, "t")]
    los, his, flags = (values(series, key) for key in ("lo", "hi", "flags"))
    count = min(len(times), len(los or his), len(his or los))
    rows = [
        (t, lo, hi, bool(flags[i]) if i < len(flags) else False)
        for i, t in enumerate(times[:count])
        if t is not None and (lo := finite((los or his)[i])) is not None and (hi := finite((his or los)[i])) is not None
    ]
    rows = _merged(sorted(rows, key=lambda row: row[0]))
    step = -(-len(rows) // level.points) if rows else 1
    if step > 1:
        cuts.counted[f"series binned to {level.points} points, least and largest value kept"] += 1
    bins = [_bin(rows[i : i + step]) for i in range(0, len(rows), step)]
    kept = {key: _cut(series[key], level, cuts, key) for key in series if key not in ("t", "lo", "hi", "flags")}
    kept |= {"t": [b[0] for b in bins], "lo": [b[1] for b in bins], "hi": [b[2] for b in bins]}
    return kept | ({"flags": [int(b[3]) for b in bins]} if any(b[3] for b in bins) else {})


def _merged(rows: list[tuple[float, float, float, bool]]) -> list[tuple[float, float, float, bool]]:
    """One row a moment: a clock of whole seconds gives many lines the same time, which would draw as a comb."""
    if all(a[0] != b[0] for a, b in pairwise(rows)):
        return rows
    return [_bin(list(same)) for _, same in groupby(rows, key=lambda row: row[0])]


def _bin(rows: list[tuple[float, float, float, bool]]) -> tuple[float, float, float, bool]:
    true = [row for row in rows if not row[3]] or rows
    return rows[0][0], min(row[1] for row in true), max(row[2] for row in true), true[0][3]
