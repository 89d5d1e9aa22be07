"""The index page of a scan: one HTML file that asks the network for nothing and is complete without a script."""

from __future__ import annotations

import base64
import datetime
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from logscope.archive import clusters
from logscope.archive.clusters import Cluster, Course, Row
from logscope.discover import units
from logscope.render._numbers import duration
from logscope.render._svg import drawing, element
from logscope.render._templates import environment, source
from logscope.version import VERSION

FAILURES_SHOWN, GROUPS_SHOWN, STARTS_SHOWN, UNREAD_SHOWN, CAUSES_DRAWN = 200, 20, 20, 100, 12
_BAR, _LANE, _LEFT, _TOP = 640.0, 30.0, 220.0, 8.0


def index_page(
    rows: Sequence[Row],
    *,
    known: frozenset[str] = frozenset(),
    since: datetime.datetime | None = None,
    reports: Mapping[str, str] | None = None,
    incidents: Sequence[Row] = (),
    title: str = "Incidents",
) -> str:
    """The page of these runs (columns of `clusters.COLUMNS`).

    `known` and `since` are the baseline; `incidents` are those of several logs; `reports` gives the relative address of
    the report of a run, where there is one.
    """
    links = reports or {}
    found = clusters.clusters(rows, known=known, since=since)
    style = source("report.css") + source("archive.css")
    return (
        environment()
        .get_template("archive.html.j2")
        .render(
            title=title,
            version=VERSION,
            summary=_summary(rows, found, baseline=bool(known) or since is not None),
            failures=[_failure(one, links) for one in found[:FAILURES_SHOWN]],
            more_failures=max(len(found) - FAILURES_SHOWN, 0),
            course=_course(clusters.course(rows)),
            groups=_groups(rows),
            incidents=[_incident(one) for one in incidents],
            starts=[_start(row, links) for row in _slowest(rows)],
            unread=[
                {"path": r["path"], "kind": r["error_kind"], "why": r["error"]} for r in _unread(rows)[:UNREAD_SHOWN]
            ],
            more_unread=max(len(_unread(rows)) - UNREAD_SHOWN, 0),
            style=Markup(style),  # noqa: S704 - our own files
            style_hash="sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        )
    )


def _summary(rows: Sequence[Row], found: Sequence[Cluster], *, baseline: bool) -> dict[str, Any]:
    judged = [row for row in rows if row.get("cause")]
    silent = sum(row["cause"] == "not_enough_evidence" for row in judged)
    healthy = sum(bool(row["healthy"]) for row in judged)
    moments = sorted(time for row in judged if (time := clusters.moment(row)))
    told = len(judged) - silent
    return {
        "logs": f"{len(rows):,}",
        "healthy": f"{healthy:,}",
        "share": f"{100 * healthy / told:.0f} %" if told else "not known",
        "failed": f"{sum(len(one.runs) for one in found):,}",
        "kinds": f"{len(found):,}",
        "new": f"{sum(one.new for one in found):,}" if baseline else "",
        "silent": f"{silent:,}",
        "unread": f"{len(rows) - len(judged):,}",
        "first": _shown(moments[0]) if moments else "",
        "last": _shown(moments[-1]) if moments else "",
        "top": _title(found[0].first["cause"]) if found else "",
        "top_count": f"{len(found[0].runs):,}" if found else "",
    }


def _failure(one: Cluster, links: Mapping[str, str]) -> dict[str, Any]:
    span = one.span
    return {
        "fingerprint": one.fingerprint,
        "new": one.new,
        "count": f"{len(one.runs):,}",
        "cause": _title(one.first["cause"]),
        "signature": one.first["signature"].split(" · ", 2)[2:],
        "state": _words(one.first["state"]),
        "sentence": one.first["sentence"],
        "when": _period(span) if span else "undated",
        "first_path": one.first["path"],
        "line": one.first.get("evidence_line"),
        "evidence": one.first.get("evidence") or "",
        "report": links.get(one.first["run"], ""),
        "releases": one.counted(clusters.release)[:5],
        "models": one.counted(lambda row: row.get("model"))[:5],
        "hosts": one.counted(lambda row: row.get("host"))[:8],
        "runs": [
            {"path": r["path"], "time": _shown(clusters.moment(r)), "report": links.get(r["run"], "")}
            for r in one.runs[:50]
        ],
        "more_runs": max(len(one.runs) - 50, 0),
    }


def _incident(row: Row) -> dict[str, Any]:
    return {
        "title": _title(row["cause"]),
        "sentence": row["sentence"],
        "why": row["why"],
        "paths": row["paths"],
        "time": _shown(clusters.moment(row)),
    }


def _groups(rows: Sequence[Row]) -> list[dict[str, Any]]:
    keys = (
        ("release", clusters.release),
        ("model", lambda row: row.get("model")),
        ("host", lambda row: row.get("host")),
    )
    return [
        {
            "by": by,
            "rows": [
                {
                    "name": group.name,
                    "runs": f"{group.runs:,}",
                    "healthy": f"{100 * group.healthy / group.runs:.0f} %",
                    "causes": [(_title(cause), f"{count:,}") for cause, count in group.causes[:4]],
                }
                for group in clusters.groups(rows, key, most=GROUPS_SHOWN)
            ],
        }
        for by, key in keys
    ]


def _slowest(rows: Sequence[Row]) -> list[Row]:
    known = [row for row in rows if row.get("ready_s") is not None]
    return sorted(known, key=lambda row: (-row["ready_s"], row["path"]))[:STARTS_SHOWN]


def _start(row: Row, links: Mapping[str, str]) -> dict[str, Any]:
    return {
        "path": row["path"],
        "ready": duration(row["ready_s"]),
        "model": row.get("model") or "",
        "release": clusters.release(row) or "",
        "report": links.get(row["run"], ""),
    }


def _unread(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.get("error")]


def _course(found: Course | None) -> dict[str, Any]:
    if found is None:
        return {}
    drawn = list(found.causes.items())[:CAUSES_DRAWN]
    highest = max(max(counts) for _, counts in drawn)
    width = _BAR / found.bins
    parts = []
    for lane, (cause, counts) in enumerate(drawn):
        base = _TOP + (lane + 1) * _LANE
        parts.append(element("text", _words(cause), x=0, y=base - 6, class_="lane"))
        parts.append(element("line", x1=_LEFT, x2=_LEFT + _BAR, y1=base, y2=base, class_="grid"))
        for place, count in enumerate(counts):
            if count:
                height = max((_LANE - 8) * count / highest, 2.0)
                named = element("title", f"{_words(cause)}: {count} from {_bin(found, place)}")
                parts.append(
                    element(
                        "rect", named, x=_LEFT + place * width, y=base - height,
                        width=max(width - 1, 1.0), height=height, class_="bar",
                    )
                )  # fmt: skip
        parts.append(element("text", f"{sum(counts):,}", x=_LEFT + _BAR + 10, y=base - 6, class_="tick"))
    bottom = _TOP + len(drawn) * _LANE + 18
    for place in sorted({0, found.bins // 2, found.bins - 1}):
        middle = _LEFT + (place + 0.5) * width
        parts.append(element("text", _bin(found, place), x=middle, y=bottom, class_="tick middle"))
    described = ", ".join(f"{_words(cause)} {sum(counts)}" for cause, counts in drawn)
    name = f"Failures by cause, in steps of {_step(found.hours)}"
    return {
        "picture": drawing("course", _LEFT + _BAR + 60, bottom + 8, name, described, *parts),
        "step": _step(found.hours),
        "undated": f"{found.undated:,}" if found.undated else "",
        "more": max(len(found.causes) - CAUSES_DRAWN, 0),
    }


def _bin(found: Course, place: int) -> str:
    begin = found.begin + datetime.timedelta(hours=place * found.hours)
    return f"{begin:%Y-%m-%d}" if found.hours >= 24 else f"{begin:%m-%d %H:%M}"


def _step(hours: int) -> str:
    if hours < 24:
        return f"{hours} hour{'s' * (hours > 1)}"
    return f"{hours // 24} day{'s' * (hours > 24)}"


def _period(span: tuple[datetime.datetime, datetime.datetime]) -> str:
    first, last = (_shown(time) for time in span)
    return f"first {first}, last {last}" if first != last else first


def _shown(time: datetime.datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else "undated"


def _title(cause: str) -> str:
    """A cause as people call it."""
    return str(getattr(units("logscope.causes").get(cause), "TITLE", None) or _words(cause))


def _words(name: str) -> str:
    return name.replace("_", " ")
