"""One launch as the report shows it: identity, state, phases, arguments, facts, and what charts are drawn from."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from logscope import fitting
from logscope.case import Case
from logscope.configuration import configuration
from logscope.counts import counts_of
from logscope.diagnose import Diagnosis
from logscope.errors import FactMissing, NotChecked
from logscope.facts import memory, pools
from logscope.facts.origin import program
from logscope.facts.phases import Milestone, milestones
from logscope.facts.sequence import span
from logscope.facts.states import last_good_at, ready_at
from logscope.launch import Launch, Rank
from logscope.ledger import ledgers
from logscope.log import Log
from logscope.plain import line_of, plain, quantity_of
from logscope.quantity import Quantity
from logscope.redact import mask_arguments
from logscope.series import series_of
from logscope.timeline import timeline

_FACTS: tuple[Callable[[Rank], Quantity], ...] = (
    memory.available_before_load,
    memory.available_after_load,
    memory.weights,
    memory.draft_weights,
    pools.size,
    pools.tokens,
    pools.bytes_per_token,
    memory.pool_end,
    memory.graph_memory,
    memory.available_at_ready,
)


def launch_data(log: Log, case: Case, diagnosis: Diagnosis) -> dict[str, Any]:
    """The launch's part of the report."""
    launch = case.launch
    first, last = _own_span(log, launch)
    return launch_gist(log, case, diagnosis) | plain(
        {
            "series": [*series_of(launch, first), *counts_of(launch, first, last)],
            "events": timeline(case, first),
            "memory": list(ledgers(launch)),
            "configuration": list(configuration(launch)),
            **_inputs(launch),
        }
    )


def launch_gist(log: Log, case: Case, diagnosis: Diagnosis) -> dict[str, Any]:
    """The same without what is only looked at: series, events, memory, configuration, inputs."""
    launch = case.launch
    first, last = _own_span(log, launch)
    return plain(
        {
            "id": launch.id,
            "name": f"{launch.path}#{launch.id}",
            "release": _release(launch),
            "program": program(launch)
            if launch.tables or not log.window.told
            else f"no line left: only {log.window.told} were judged",
            "state": case.state,
            "start": _iso(first) if log.dated else None,
            "ready": _iso(ready_at(launch)) if log.dated else None,
            "last_good": _iso(last_good_at(launch)) if log.dated else None,
            "end": _iso(last) if log.dated else None,
            "timezone": log.timezone,
            "lines": {"first": line_of(launch.first), "last": line_of(launch.last)},
            "ranks": list(launch.ranks),
            "phases": list(phases(launch, first, log.dated)),
            "arguments": dict(launch.arguments) if log.show_prompts else mask_arguments(launch.arguments),
            "facts": list(facts(launch)),
            "cause": diagnosis.best.cause,
            "sentence": diagnosis.best.sentence,
            "seconds": _seconds(launch, first, last),
            **_shown(launch),
        }
    )


def _release(launch: Launch) -> dict[str, Any]:
    """The range that wordings leave, and which of its releases compute the printed numbers, where numbers tell."""
    release = launch.release
    how = release.how or "nothing that only some releases print"
    found: dict[str, Any] = {"lo": release.lo or None, "hi": release.hi or None, "how": how}
    try:
        says, releases = fitting.told(launch), list(fitting.fitting(launch))
        return found | {"how": f"{says}; {how}", "fitting": {"releases": releases, "says": says}}
    except FactMissing:
        return found


def _inputs(launch: Launch) -> dict[str, Any]:
    """Which lines of which inputs are one launch and why, what is not of it, and how the clocks of inputs differ."""
    pieces = [
        plain({"path": p.path, "first": p.first, "last": p.last, "labels": sorted(p.labels) if p.labels else None})
        for p in launch.pieces
    ]
    return {
        "role": launch.role or None,
        "joined_because": launch.joined_because or None,
        "kept_apart": [{"path": path, "why": why} for path, why in launch.kept_apart] or None,
        "pieces": pieces if len(pieces) > 1 or launch.pieces[0].labels else None,
        "clock_offsets": [
            {
                "path": one.path,
                "against": one.against or launch.path,
                "lo_s": one.lo_s,
                "hi_s": one.hi_s,
                "why": one.why,
            }
            for one in launch.clock_offsets
        ]
        or None,
    }


def _own_span(log: Log, launch: Launch) -> tuple[float | None, float | None]:
    """The span without the times that its first lines have from the launch before: an undated line counts with it."""
    first, last = span(launch)
    earlier = [one for one in log.launches if one.id < launch.id and one.path == launch.path]
    ended = span(earlier[-1])[1] if earlier else None
    if first is None or ended is None or first != ended:
        return first, last
    times = [pc.filter(t, pc.greater(t, round(ended * 1000))) for t in _times_ms(launch)]
    later = [pc.min(t).as_py() for t in times if len(t)]
    return (min(later) / 1000 if later else first), last


def _times_ms(launch: Launch) -> list[pa.ChunkedArray]:
    tables = [launch.table(name) for name in launch.tables]
    return [table["time"].cast("int64") for table in tables if "time" in table.column_names]


def _iso(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=round(seconds * 1000))
    return moment.isoformat(timespec="milliseconds" if round(seconds * 1000) % 1000 else "seconds")


def phases(launch: Launch, first: float | None, dated: bool) -> Iterator[Mapping[str, Any]]:
    """The phases of each rank: from one milestone of the rank to its next."""
    by_rank: dict[str, list[Milestone]] = {}
    found = milestones(launch)
    for milestone in found:
        by_rank.setdefault(milestone.rank, []).append(milestone)
    _serve_together(by_rank, found)
    for rank, marks in by_rank.items():
        for mark, following in zip(marks, [*marks[1:], None], strict=True):
            end = following.time if following else None
            lasts = end - mark.time if end is not None and mark.time is not None else None
            yield {
                "name": mark.phase,
                "rank": rank,
                "start": _iso(mark.time) if dated else None,
                "end": _iso(end) if dated else None,
                "t": mark.time - first if mark.time is not None and first is not None else None,
                "seconds": lasts,
                "line": line_of(mark.ref),
            }


def _serve_together(by_rank: dict[str, list[Milestone]], found: Sequence[Milestone]) -> None:
    """The main process says that the server is ready; every rank serves from there on."""
    ready = next((m for m in found if m.phase == "serving" and m.rank == "main"), None)
    for rank, marks in by_rank.items():
        if ready is not None and rank != "main" and marks[-1].phase == "warm_up":
            marks.append(replace(ready, rank=rank))


def facts(launch: Launch) -> Iterator[Mapping[str, Any]]:
    """The numbers of each rank that are known; a missing one is left out."""
    for name in launch.ranks:
        for fact in _FACTS:
            try:
                yield quantity_of(fact(launch.rank(name)))
            except NotChecked:
                continue


def _seconds(launch: Launch, first: float | None, last: float | None) -> dict[str, Any] | None:
    if first is None or last is None:
        return None
    ready = ready_at(launch)
    return {"ready": None if ready is None else ready - first, "end": last - first}


def _shown(launch: Launch) -> dict[str, Any]:
    arguments = launch.arguments
    sizes = [
        f"{short} {arguments[name]}"
        for short, name in _SIZES
        if isinstance(arguments.get(name), int) and arguments[name] > 1
    ]
    return {
        "model": arguments.get("served_model_name") or arguments.get("model_path"),
        "parallelism": ", ".join(sizes) or ("tp 1" if "tp_size" in arguments else None),
        "hardware": arguments.get("device"),
    }


_SIZES = (("tp", "tp_size"), ("dp", "dp_size"), ("pp", "pp_size"), ("ep", "ep_size"), ("nodes", "nnodes"))
