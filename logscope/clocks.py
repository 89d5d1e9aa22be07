"""Two clocks: that of a wrapper beside the one a server prints, and those of the hosts of one launch.

Where a line has a stamp of its own, that one orders. Else the wrapper's clock is its time, moved by the constant by
which the two clocks of this input differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope.launch import ClockOffset, Launch, Row
from logscope.tracks import Track

_QUARTER_MS = 900_000
_NEAR_MS = 2_000
_PRINTED_S = 1.0  # a stamp of whole seconds is up to this much early
_LEAVING_S = 2.0  # between the first and the last rank that leave a barrier and print it
# Families and kinds that every rank prints when all ranks have left the same collective.
_BARRIERS = (("distributed_init", "end"), ("distributed_init", "warmup"), ("graph_capture", "end"), ("capacity", ""))


def own_clock(table: pa.Table, track: Track) -> pa.Table:
    """The table with the wrapper's time where a line has none of its own."""
    if not track.has_outer_clock or not table.num_rows:
        return table
    outer, alone = track.undated(table["line"].to_numpy())
    if not alone.any():
        return table
    moved = pa.array(np.where(alone, outer - _moved_ms(track), 0)).cast(pa.timestamp("ms"))
    place = table.schema.get_field_index("time")
    return table.set_column(place, "time", pc.if_else(pa.array(alone), moved, table["time"]))


def _moved_ms(track: Track) -> int:
    """By how much the outer clock is ahead: the zone where it is one, else the least that was seen."""
    if not track.samples:
        return 0
    least = min(outer - inner for outer, inner in track.samples)
    zone = round(least / _QUARTER_MS) * _QUARTER_MS
    return zone if abs(least - zone) <= _NEAR_MS else least


def dates_alone(track: Track) -> bool:
    """Whether the wrapper's is the only clock of an input."""
    return track.has_outer_clock and not track.samples


def two_clocks(track: Track) -> dict[str, Any] | None:
    """What the report says of the wrapper's clock: its offset to the one that orders, once; None without one."""
    if not track.has_outer_clock:
        return None
    if not track.samples:
        return {"lines": track.outer_lines, "orders": "outer", "why": "the wrapper's clock is the only one"}
    ahead = sorted((outer - inner) / 1000 for outer, inner in track.samples)
    steady = ahead[-1] - ahead[0] <= _NEAR_MS / 1000 or ahead[len(ahead) * 9 // 10] - ahead[0] <= _NEAR_MS / 1000
    told = "constant" if steady else "it varies: lines reached the wrapper late"
    return {
        "lines": track.outer_lines,
        "orders": "inner",
        "offset_s": {"lo": ahead[0], "hi": ahead[-1]},
        "why": f"outer − inner clock of {len(ahead)} lines that have both: {told}",
    }


def offsets(launch: Launch, hosts: Sequence[Sequence[str]]) -> tuple[ClockOffset, ...]:
    """By how much the clocks of the inputs of other hosts are ahead of the first one's.

    Bounded from what all ranks do at once: they leave a barrier within moments (taken as two seconds). `hosts` are the
    inputs by the host that wrote them, the first one's first.
    """
    found: list[ClockOffset] = []
    for paths in hosts[1:]:
        low, high, events = float("-inf"), float("inf"), []
        for name, own, other in _pairs(launch, hosts[0], paths):
            slack = _PRINTED_S + _LEAVING_S
            lo, hi = max(low, min(other) - max(own) - slack), min(high, max(other) - min(own) + slack)
            if lo <= hi:
                low, high = lo, hi
                events.append(name)
        if events:
            what = ", ".join(dict.fromkeys(events))
            why = f"every rank leaves these together: {what}; printed to the second, taken as within {_LEAVING_S:.0f} s"
            found.extend(ClockOffset(path, low, high, why) for path in paths)
    return tuple(found)


def of_requests(prefill: Launch, decode: Launch) -> tuple[ClockOffset, ...]:
    """By how much the decode server's clock is ahead of the prefill server's, from requests that both logged.

    Neither can finish a request before the other has received it: prefill ends with a transfer that decode takes.
    """
    low, high, count = float("-inf"), float("inf"), 0
    first, second = _requests(prefill), _requests(decode)
    for rid in first.keys() & second.keys():
        (received, finished), (came, ended) = first[rid], second[rid]
        low, high = max(low, came - finished - _PRINTED_S), min(high, ended - received + _PRINTED_S)
        count += 1
    if not low <= high or low == float("-inf") or high == float("inf"):
        return ()
    why = f"neither server finishes a request before the other has received it: {count} requests with the same id"
    return (ClockOffset(decode.path, low, high, why, prefill.path),)


def _requests(launch: Launch) -> dict[str, tuple[float, float]]:
    """When each request came and ended; infinite where one of the two is not in the log."""
    found: dict[str, tuple[float, float]] = {}
    for row in launch.rows("request_log"):
        rid, event, time = str(row.get("rid", "")), str(row.get("event", "")), row.get("time")
        if rid and time is not None and not rid.startswith("HEALTH_CHECK"):
            came, ended = found.get(rid, (float("-inf"), float("inf")))
            found[rid] = (row.time, ended) if "received" in event else (came, row.time)
    return found


def _pairs(
    launch: Launch, first: Sequence[str], second: Sequence[str]
) -> Iterator[tuple[str, list[float], list[float]]]:
    for family, kind in _BARRIERS:
        rows = [row for row in _rows(launch, family, kind) if row.get("time") is not None]
        times = [[row.time for row in rows if row.ref.path in paths] for paths in (first, second)]
        if times[0] and times[1]:
            yield f"{family.replace('_', ' ')} {kind}".strip(), times[0], times[1]


def _rows(launch: Launch, family: str, kind: str) -> Sequence[Row]:
    """The first such row of each rank: a draft worker repeats what its target printed."""
    seen: dict[str, Row] = {}
    for row in launch.rows(family):
        if (not kind or row.get("kind") == kind) and row.rank != "main":
            seen.setdefault(row.rank, row)
    return list(seen.values())
