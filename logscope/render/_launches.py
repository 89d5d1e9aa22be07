"""One launch as the page shows it: timeline, memory, charts and configuration, all on one clock."""

from __future__ import annotations

import json
from typing import Any

from logscope.render import _lanes, _timeline, _waterfall, _wording
from logscope.render._charts import panels
from logscope.render._clock import clock_of
from logscope.render._lines import Quoted, short
from logscope.render._numbers import amount, between, duration, moment, plain, readable
from logscope.render._order import BAD_STATES
from logscope.render._reading import Report, number, part, parts, text, words
from logscope.render._series import moments

# What a reader of a postmortem looks for first, also where the server left it at its default.
_TELLING = (
    "mem_fraction_static",
    "model_path",
    "tp_size",
    "dp_size",
    "pp_size",
    "ep_size",
    "chunked_prefill_size",
    "max_running_requests",
    "max_total_tokens",
    "context_length",
    "kv_cache_dtype",
    "quantization",
    "attention_backend",
    "disable_cuda_graph",
    "cuda_graph_max_bs",
    "speculative_algorithm",
    "disaggregation_mode",
)


def launches(report: Report, lines: Quoted) -> list[dict[str, Any]]:
    """One view a launch, in the order of the report."""
    fatal = part(report, "verdict").get("launch")
    known = parts(report, "launches")
    return [_launch(one, lines, main=one.get("id") == fatal or len(known) == 1) for one in known]


def name(launch: Report) -> str:
    """`crash.log#1`: the file and the number of the launch."""
    path = text(part(part(launch, "lines"), "first"), "path") or text(launch, "path")
    return f"{short(path)}#{text(launch, 'id', '0')}" if path else f"launch {text(launch, 'id', '0')}"


def _launch(launch: Report, lines: Quoted, *, main: bool) -> dict[str, Any]:
    key = f"launch-{text(launch, 'id', '0')}"
    found = _timeline.events(launch, moment(text(launch, "start")))
    series = parts(launch, "series")
    seconds = part(launch, "seconds")
    ready_s = number(seconds, "ready")
    phases = _timeline.bars(launch)
    drawn = [t for bar in phases for t in (bar.begin, bar.end)] + [e.t for e in found] + moments(series)
    clock = clock_of(launch, drawn + ([] if ready_s is None else [ready_s]))
    memories = _waterfall.worst_first(parts(launch, "memory"))
    return {
        "key": key,
        "id": text(launch, "id", "0"),
        "name": name(launch),
        "main": main,
        "state": _wording.state({"state": text(launch, "state", "unknown")}),
        "bad": text(launch, "state") in BAD_STATES,
        "release": _wording.release({"release": part(launch, "release")}),
        "how": text(part(launch, "release"), "how"),
        "start": readable(text(launch, "start")),
        "start_iso": text(launch, "start") if clock.start and clock.start.tzinfo is None else "",
        "ready": readable(text(launch, "ready")),
        "ready_after": duration(ready_s),
        "last_good": readable(text(launch, "last_good")),
        "end": readable(text(launch, "end")),
        "lasted": duration(number(seconds, "end")),
        "begin_s": clock.begin_s,
        "end_s": clock.end_s,
        "left_out": duration(clock.begin_s) if clock.begin_s > 0 else "",
        "timezone": text(launch, "timezone", "unstated"),
        "model": text(launch, "model"),
        "parallelism": text(launch, "parallelism"),
        "hardware": text(launch, "hardware"),
        "ranks": [one for one in words(launch, "ranks") if one != "main"],
        "fraction": fraction(launch),
        "first": lines.line_of(part(launch, "lines"), "first"),
        "last": lines.line_of(part(launch, "lines"), "last"),
        "timeline": _lanes.timeline(phases, found, f"{key}-timeline", clock) if found or phases else "",
        "events": [row | {"ref": lines.line_of(row["source"])} for row in _timeline.table(found)],
        "phases": _timeline.phase_table(phases, clock.start),
        "gaps": [e.said for e in found if e.kind == "gap"],
        "memory": [_waterfall.waterfall(one, f"{key}-memory-{i}", lines) for i, one in enumerate(memories)],
        "panels": panels(series, f"{key}-chart", clock, _timeline.marks(found, ready_s)),
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
                "default": "",
                "why": "",
                "ref": {"label": "", "href": ""},
            }
            for key, value in part(launch, "arguments").items()
        ]
    rows.sort(key=lambda row: _TELLING.index(row["name"]) if row["name"] in _TELLING else len(_TELLING))
    telling = [row for row in rows if row["name"] in _TELLING or row["origin"] not in ("default", "unknown")]
    return {"telling": telling, "quiet": [row for row in rows if row not in telling]}


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
