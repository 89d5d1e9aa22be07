"""The events of a launch as rows of a timeline: what many ranks say at once is one row."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from logscope.render import _wording as words


def grouped_events(launch: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Events in their order with `time` (clock, or seconds since the start) and `ranks`; the first one's line stays."""
    rows: list[dict[str, Any]] = []
    ranks: list[list[str]] = []
    for event in launch.get("events") or ():
        time, rank = _time(launch, event), words.prose(event.get("rank", ""))
        same = rows and (rows[-1]["time"], rows[-1].get("text")) == (time, event.get("text"))
        if same and rank not in ranks[-1]:
            ranks[-1].append(rank)
            continue
        rows.append({**event, "time": time})
        ranks.append([rank])
    return [{**row, "ranks": _named(names)} for row, names in zip(rows, ranks, strict=True)]


def _named(ranks: list[str]) -> str:
    return ", ".join(ranks) if len(ranks) <= 3 else f"{ranks[0]}, {ranks[1]} and {len(ranks) - 2} more"


def _time(launch: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    if event.get("time"):
        return words.prose(event["time"])
    try:
        start = datetime.datetime.fromisoformat(str(launch.get("start")))
        moment = start + datetime.timedelta(seconds=event.get("t", 0))
    except (ValueError, OverflowError):
        return f"+{words.number(event.get('t', 0))} s"
    return moment.time().isoformat("seconds")
