"""The events of a launch for its timeline: phases, failures, retractions, ends and silences, in the order of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.phases import milestones, time_of
from logscope.launch import Launch, Rank
from logscope.plain import line_of

_MOST = 200  # events; retractions beyond are counted, not listed
_SILENCE = 10.0  # times the usual interval between decode lines, and at least _SILENCE_S
_SILENCE_S = 30.0


def timeline(case: Case, start: float | None) -> list[dict[str, Any]]:
    """Events with seconds since the start of the launch; nothing where no clock is printed."""
    if start is None:
        return []
    events = [*_phases(case.launch), *_failures(case), *_rows(case.launch), *_silences(case.launch)]
    timed = [event | {"t": round(event.pop("at") - start, 3)} for event in events if event["at"] is not None]
    return sorted(timed, key=lambda event: (event["t"], event["line"]["path"], event["line"]["line"]))[:_MOST]


def _phases(launch: Launch) -> Iterator[dict[str, Any]]:
    for mark in milestones(launch):
        yield {
            "at": mark.time,
            "rank": mark.rank,
            "kind": "phase",
            "text": mark.phase,
            "severity": "note",
            "line": line_of(mark.ref),
        }


def _failures(case: Case) -> Iterator[dict[str, Any]]:
    for failure in case.failures:
        said = failure.chain[0].type if failure.chain else failure.kind.replace("_", " ")
        text = f"{said}{': ' + failure.follows if failure.follows else ''}"
        severity = "warning" if failure.follows else "error"
        yield {
            "at": failure.time,
            "rank": failure.rank,
            "kind": "failure",
            "text": text,
            "severity": severity,
            "line": line_of(failure.decisive),
        }


def _rows(launch: Launch) -> Iterator[dict[str, Any]]:
    for row in launch.rows("retraction")[:100]:
        told = (
            f"retracted requests: {row['retracted_requests']}"
            if row.get("retracted_requests") is not None
            else "retracted requests"
        )
        yield {
            "at": time_of(row),
            "rank": row.rank,
            "kind": "retraction",
            "text": told,
            "severity": "warning",
            "line": line_of(row.ref),
        }
    for row in launch.rows("shutdown"):
        yield {
            "at": time_of(row),
            "rank": row.rank,
            "kind": "signal",
            "text": "shutting down",
            "severity": "note",
            "line": line_of(row.ref),
        }


def _silences(launch: Launch) -> Iterator[dict[str, Any]]:
    """Stretches in which a rank with running requests printed no batch line for far longer than usual."""
    for name in [rank for rank in launch.ranks if rank != "main"][:16]:
        try:
            times = batches.times(launch.rank(name), "decode_batch")
            running = batches.column(launch.rank(name), "decode_batch", "running_requests")
        except NotChecked:
            continue
        gaps = np.diff(times)
        if len(gaps) < 5:
            continue
        limit = max(_SILENCE * float(np.nanmedian(gaps)), _SILENCE_S)
        idle = _idle_after(launch.rank(name), times)
        for place in np.flatnonzero((gaps > limit) & (running[:-1] > 1) & ~idle[:-1])[:20]:
            row = batches.row(launch.rank(name), "decode_batch", int(place))
            yield {
                "at": float(times[place]),
                "rank": name,
                "kind": "gap",
                "text": f"no decode line for {gaps[place]:.0f} s while {int(running[place])} requests were running",
                "severity": "note",
                "seconds": float(gaps[place]),
                "line": line_of(row.ref),
            }


def _idle_after(rank: Rank, times: batches.Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For each decode line whether the next prefill found nothing running: its requests had ended unseen before."""
    try:
        prefills = batches.times(rank, "prefill_batch")
        running = batches.column(rank, "prefill_batch", "running_requests")
    except NotChecked:
        return np.zeros(len(times), bool)
    place = np.searchsorted(prefills, times, side="right")
    known = place < len(prefills)
    found = np.zeros(len(times), bool)
    found[known] = running[place[known]] == 0
    return found
