"""One launch as the page shows it: timeline, memory, charts and configuration, all on one clock."""

from __future__ import annotations

import json
from typing import Any

from logscope.render import _lanes, _timeline, _waterfall, _wording
from logscope.render._charts import panels
from logscope.render._lines import Quoted
from logscope.render._numbers import amount, between, duration, moment, plain, readable
from logscope.render._reading import Report, number, part, parts, text, words
from logscope.render._series import last_moment

_BAD_STATES = ("failed_startup", "ready_then_crashed", "hung")
_ORIGINS = {
    "given": "given on the command line",
    "default": "default of the release",
    "automatic": "chosen by the server",
    "rewritten": "rewritten by the server",
    "unknown": "origin unknown",
}


def launches(report: Report, lines: Quoted) -> list[dict[str, Any]]:
    """One view a launch, in the order of the report."""
    fatal = part(report, "verdict").get("launch")
    known = parts(report, "launches")
    return [_launch(one, lines, main=one.get("id") == fatal or len(known) == 1) for one in known]


def name(launch: Report) -> str:
    """`crash.log#1`: the file and the number of the launch."""
    path = text(part(part(launch, "lines"), "first"), "path") or text(launch, "path")
    return f"{path}#{text(launch, 'id', '0')}" if path else f"launch {text(launch, 'id', '0')}"


def _launch(launch: Report, lines: Quoted, *, main: bool) -> dict[str, Any]:
    key = f"launch-{text(launch, 'id', '0')}"
    found = _timeline.events(launch)
    series = parts(launch, "series")
    seconds = part(launch, "seconds")
    end_s = (
        max(
            number(seconds, "end") or 0.0,
            last_moment(series),
            *(bar.end for bar in _timeline.bars(launch)),
            *(e.t for e in found),
            0.0,
        )
        or 1.0
    )
    start = moment(text(launch, "start"))
    ready_s = number(seconds, "ready")
    memories = _waterfall.worst_first(parts(launch, "memory"))
    return {
        "key": key,
        "id": text(launch, "id", "0"),
        "name": name(launch),
        "main": main,
        "state": _wording.state({"state": text(launch, "state", "unknown")}),
        "bad": text(launch, "state") in _BAD_STATES,
        "release": _wording.release({"release": part(launch, "release")}),
        "how": text(part(launch, "release"), "how"),
        "start": readable(text(launch, "start")),
        "start_iso": text(launch, "start") if start and start.tzinfo is None else "",
        "ready": readable(text(launch, "ready")),
        "ready_after": duration(ready_s),
        "last_good": readable(text(launch, "last_good")),
        "end": readable(text(launch, "end")),
        "lasted": duration(number(seconds, "end")),
        "end_s": end_s,
        "timezone": text(launch, "timezone", "unstated"),
        "model": text(launch, "model"),
        "parallelism": text(launch, "parallelism"),
        "hardware": text(launch, "hardware"),
        "ranks": words(launch, "ranks"),
        "fraction": fraction(launch),
        "first": lines.line_of(part(launch, "lines"), "first"),
        "last": lines.line_of(part(launch, "lines"), "last"),
        "timeline": _lanes.timeline(launch, f"{key}-timeline", end_s, found) if found or _timeline.bars(launch) else "",
        "events": [row | {"ref": lines.line_of(row["source"])} for row in _timeline.table(found)],
        "phases": _timeline.phase_table(launch),
        "gaps": [e.said for e in found if e.kind == "gap"],
        "memory": [_waterfall.waterfall(one, f"{key}-memory-{i}", lines) for i, one in enumerate(memories)],
        "panels": panels(series, f"{key}-chart", end_s, start, _timeline.marks(found, ready_s)),
        "configuration": _configuration(launch, lines),
        "facts": [_fact(one, lines) for one in parts(launch, "facts")],
    }


def fraction(launch: Report) -> str:
    """The static fraction in force, as the log prints it; empty when it does not."""
    value = fraction_in_force(launch)
    return "" if value is None else plain(value)


def fraction_in_force(launch: Report) -> float | None:
    """The static fraction of a launch as a number."""
    stated = number(part(launch, "arguments"), "mem_fraction_static")
    if stated is not None:
        return stated
    return next(
        (number(one, "value") for one in parts(launch, "configuration") if one.get("name") == "mem_fraction_static"),
        None,
    )


def _configuration(launch: Report, lines: Quoted) -> dict[str, list[dict[str, Any]]]:
    """What was given or changed, then the defaults; the bare arguments when the report does not tell them apart."""
    rows = [
        {
            "name": text(one, "name"),
            "value": _literal(one.get("value")),
            "origin": text(one, "origin", "unknown"),
            "means": _ORIGINS.get(text(one, "origin", "unknown"), text(one, "origin")),
            "default": _literal(one["default"]) if "default" in one else "",
            "why": text(one, "why"),
            "ref": lines.line_of(one),
        }
        for one in parts(launch, "configuration")
    ]
    if not rows:
        rows = [
            {
                "name": key,
                "value": _literal(value),
                "origin": "unknown",
                "means": "",
                "default": "",
                "why": "",
                "ref": {"label": "", "href": ""},
            }
            for key, value in part(launch, "arguments").items()
        ]
    quiet = ("default", "unknown") if any(row["origin"] not in ("default", "unknown") for row in rows) else ("default",)
    return {
        "telling": [row for row in rows if row["origin"] not in quiet],
        "quiet": [row for row in rows if row["origin"] in quiet],
    }


def _literal(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, str):
        return value or "''"
    return str(value) if isinstance(value, bool | int | float) else json.dumps(value, ensure_ascii=False, default=str)


def _fact(one: Report, lines: Quoted) -> dict[str, Any]:
    return {
        "name": text(one, "name"),
        "rank": text(one, "rank"),
        "value": amount(number(one, "value"), text(one, "unit")) or text(one, "value"),
        "between": between(number(one, "lo"), number(one, "hi")),
        "from": text(one, "from"),
        "equation": text(one, "equation"),
        "ref": lines.line_of(one),
    }
