"""Chrome trace events for Perfetto (ui.perfetto.dev): launches as processes, ranks as threads, series as counters."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from typing import Any

from logscope.render import _wording as words

SUFFIX = ".trace.json"
Event = dict[str, Any]


def trace(report: Mapping[str, Any]) -> str:
    """A trace in the JSON object format; times are microseconds since the first launch began."""
    launches = report.get("launches", ())
    zero = min((at for launch in launches if (at := _date(launch.get("start"))) is not None), default=None)
    events: list[Event] = []
    for launch in launches:
        start = _date(launch.get("start"))
        events += _launch(launch, (start - zero).total_seconds() if start and zero else 0.0)
    verdict = report.get("verdict", {})
    named = [event for event in events if event["ph"] == "M"]
    timed = sorted((event for event in events if event["ph"] != "M"), key=lambda event: (event["ts"], event["pid"]))
    document = {
        "traceEvents": named + timed,
        "displayTimeUnit": "ms",
        "otherData": {
            "schema": str(report.get("schema", "")),
            "start": zero.isoformat() if zero else "no date in the log",
            "cause": words.prose(verdict.get("cause", "")),
            "sentence": words.prose(verdict.get("sentence", "")),
        },
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"


def _launch(launch: Mapping[str, Any], offset_s: float) -> Iterator[Event]:
    pid = int(launch.get("id", 0)) + 1  # Perfetto treats process 0 as the idle one
    threads = {name: number for number, name in enumerate(_lanes(launch), start=1)}
    yield _meta("process_name", pid, 0, f"launch {launch.get('id', 0)}: {words.state(launch)}")
    for name, number in threads.items():
        yield _meta("thread_name", pid, number, name)
    start = _date(launch.get("start"))
    for phase in launch.get("phases", ()):
        yield from _phase(phase, pid=pid, threads=threads, start=start, offset_s=offset_s)
    for event in launch.get("events", ()):
        yield _instant(event, pid=pid, threads=threads, offset_s=offset_s)
    for series in launch.get("series", ()):
        yield from _counters(series, pid=pid, offset_s=offset_s)


def _lanes(launch: Mapping[str, Any]) -> list[str]:
    used = [one.get("rank", "main") for key in ("phases", "events") for one in launch.get(key, ())]
    return list(dict.fromkeys([*map(words.prose, launch.get("ranks", ())), *map(words.prose, used)]))


def _phase(
    phase: Mapping[str, Any], *, pid: int, threads: Mapping[str, int], start: datetime.datetime | None, offset_s: float
) -> Iterator[Event]:
    """A span; a phase whose begin or length the log does not print is not drawn."""
    begin, end = _date(phase.get("start")), _date(phase.get("end"))
    seconds = phase.get("seconds")
    if seconds is None and begin and end:
        seconds = (end - begin).total_seconds()
    if begin is None or start is None or seconds is None:
        return
    yield {
        "name": words.prose(phase.get("name", "")),
        "cat": "phase",
        "ph": "X",
        "ts": _us((begin - start).total_seconds() + offset_s),
        "dur": _us(seconds),
        "pid": pid,
        "tid": threads[words.prose(phase.get("rank", "main"))],
    }


def _instant(event: Mapping[str, Any], *, pid: int, threads: Mapping[str, int], offset_s: float) -> Event:
    data: Event = {
        "name": words.clip(words.prose(event.get("text", "")), 200),
        "cat": words.prose(event.get("kind", "event")),
        "ts": _us(event.get("t", 0.0) + offset_s),
        "pid": pid,
        "tid": threads[words.prose(event.get("rank", "main"))],
        "args": {"severity": words.prose(event.get("severity", "note")), "line": words.place(event.get("line"))},
    }
    if event.get("seconds"):
        return {**data, "ph": "X", "dur": _us(event["seconds"])}
    return {**data, "ph": "i", "s": "p" if event.get("severity") == "error" else "t"}


def _counters(series: Mapping[str, Any], *, pid: int, offset_s: float) -> Iterator[Event]:
    """The envelope of a series: highest and lowest where they differ; interval artefacts are left out."""
    times, lows, highs = series.get("t", ()), series.get("lo", ()), series.get("hi", ())
    flags = series.get("flags") or [0] * len(times)
    label = (
        f"{words.prose(series.get('label') or series.get('name', ''))} {words.prose(series.get('rank', ''))}".strip()
    )
    name = f"{label} [{words.prose(series['unit'])}]" if series.get("unit") else label
    for at, low, high, flag in zip(times, lows, highs, flags, strict=False):
        if flag:
            continue
        values = {"highest": high} if low == high else {"highest": high, "lowest": low}
        yield {"name": name, "cat": "series", "ph": "C", "ts": _us(at + offset_s), "pid": pid, "tid": 0, "args": values}


def _meta(kind: str, pid: int, tid: int, name: str) -> Event:
    return {"name": kind, "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}}


def _us(seconds: float) -> int:
    return round(seconds * 1e6)


def _date(text: object) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(str(text)).replace(tzinfo=None)
    except ValueError:
        return None
