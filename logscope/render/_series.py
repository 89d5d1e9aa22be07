"""Series as the charts draw them: points of bins, grouped by what belongs on one panel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from logscope.render._reading import Report, finite, text, values, whole

_SEEN_SHARE = 0.015  # of the whole stretch of time: shorter silences are not drawn as gaps

# What belongs on one panel; the first pattern that a series' name holds decides.
_SUBJECTS = (
    ("Token usage", re.compile(r"usage")),
    ("Prefill still to do", re.compile(r"pending.*token")),
    ("Retractions", re.compile(r"retract")),
    ("HTTP responses", re.compile(r"http|status")),
    ("Requests", re.compile(r"running|queue|pending|requests")),
    ("Throughput", re.compile(r"throughput|tok_s$")),
    ("Speculative decoding: accepted", re.compile(r"accept")),
    ("Prefix cache", re.compile(r"cache_hit|cached")),
    ("Free device memory", re.compile(r"avail.*gib|memory|_gib$")),
)
# In which order the panels stand.
_ORDER = (
    "Token usage",
    "Requests",
    "Prefill still to do",
    "Throughput",
    "Speculative decoding: accepted",
    "Retractions",
    "HTTP responses",
    "Prefix cache",
    "Free device memory",
)


class Point(NamedTuple):
    """One bin."""

    t: float
    lo: float
    hi: float
    flag: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One series of one rank, and where it stands in the launch's list (the script reads its values there)."""

    index: int
    name: str
    label: str
    rank: str
    rows: int
    points: list[Point]


def panels_of(series: Sequence[Report]) -> list[tuple[str, str, list[Line]]]:
    """(subject, unit, lines) a panel, in a fixed order of subjects."""
    grouped: dict[tuple[int, str, str], list[Line]] = {}
    for index, one in enumerate(series):
        points = _points(one)
        if points:
            place, subject = _subject(text(one, "name"))
            label = text(one, "label") or text(one, "name")
            line = Line(index, text(one, "name"), label, text(one, "rank"), whole(one, "rows"), points)
            grouped.setdefault((place, subject, text(one, "unit")), []).append(line)
    ordered = sorted(grouped.items(), key=lambda item: item[0][0])
    return [(subject, unit, lines) for (_, subject, unit), lines in ordered]


def moments(series: Sequence[Report]) -> list[float]:
    """The first and the last time of each series, in seconds since the start."""
    ends = (values(one, "t") for one in series)
    return [t for times in ends for t in map(finite, times[:1] + times[-1:]) if t is not None]


def _subject(name: str) -> tuple[int, str]:
    subject = next((title for title, pattern in _SUBJECTS if pattern.search(name)), None)
    return (_ORDER.index(subject), subject) if subject else (len(_ORDER), name.replace("_", " "))


def _points(one: Report) -> list[Point]:
    los, his, flags = (values(one, key) for key in ("lo", "hi", "flags"))
    points = []
    for i, t in enumerate(values(one, "t")):
        lo, hi = (finite(ends[i]) if i < len(ends) else None for ends in (los, his))
        if (at := finite(t)) is not None and lo is not None and hi is not None:
            points.append(Point(at, lo, hi, i < len(flags) and bool(flags[i])))
    return points


def envelope(members: list[Line]) -> list[Point]:
    """What all ranks together span, bin by bin."""
    if len(members) == 1:
        return [p for p in members[0].points if not p.flag]
    merged: dict[float, tuple[float, float]] = {}
    for line in members:
        for p in line.points:
            if not p.flag:
                lo, hi = merged.get(p.t, (p.lo, p.hi))
                merged[p.t] = (min(lo, p.lo), max(hi, p.hi))
    return [Point(t, lo, hi, False) for t, (lo, hi) in sorted(merged.items())]


def runs(points: list[Point], stretch_s: float, cut_at: Sequence[Point] = ()) -> list[list[Point]]:
    """The points in pieces: a silence far longer than the usual step, and wide enough to be seen, is a gap."""
    steps = [b.t - a.t for a, b in pairwise(points)]
    limit = max(6 * median(steps), _SEEN_SHARE * stretch_s) if len(steps) > 3 else float("inf")
    flagged = [p.t for p in cut_at if p.flag]
    pieces: list[list[Point]] = []
    for i, point in enumerate(points):
        if i and point.t - points[i - 1].t <= limit and not any(points[i - 1].t < t < point.t for t in flagged):
            pieces[-1].append(point)
        else:
            pieces.append([point])
    return pieces
