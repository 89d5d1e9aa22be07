"""The lines that tell most of a launch, for quoting: all batches of a short excerpt, else its ends and extremes; and
what looks like a failure and is none.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.failures import failures
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

_FEW = 12
_MANY = 5_000
_EXTREMES = (
    ("decode_batch", "gen_throughput_tok_s", "min"),
    ("decode_batch", "queued_requests", "max"),
    ("decode_batch", "running_requests", "max"),
    ("prefill_batch", "pending_tokens", "max"),
    ("prefill_batch", "input_throughput_tok_s", "min"),
    ("prefill_batch", "queued_requests", "max"),
)


def lines(launch: Launch) -> list[LineRef]:
    """Lines of batches to quote, in the order of the log; empty when there is no batch."""
    places = {name: _places(launch, name) for name in ("prefill_batch", "decode_batch")}
    refs = _requests(launch)
    refs += [batches.ref(launch, name, place) for name, found in places.items() for place in sorted(found)]
    return sorted(dict.fromkeys(refs))


def odd(launch: Launch) -> list[LineRef]:
    """Lines that look bad and that the server survived: of requests, probes, retractions, a fake peer."""
    refs = [ref for f in failures(launch) if f.survived for ref in (f.ref, f.decisive)][:4]
    for name in ("health_check", "retraction", "request_refused", "request_abort"):
        if launch.has(name):
            refs += [Row(name, cells).ref for cells in launch.table(name).slice(0, 2).to_pylist()]
    if launch.has("notice") and launch.table("notice").num_rows < _MANY:
        fake = [row.ref for row in launch.rows("notice") if "disaggregation/fake" in str(row.get("source", ""))]
        refs += fake[:6]
    return sorted(dict.fromkeys(refs))


def _requests(launch: Launch) -> list[LineRef]:
    """Request and access lines of a short excerpt: they show whether answers left."""
    names = ("request_log", "request_time_stats", "request_abort", "http_access", "disaggregation", "ready")
    rows = {name: launch.table(name).num_rows for name in names}
    if sum(rows.values()) > _FEW:
        return []
    return [row.ref for name in names for row in launch.rows(name)]


def _places(launch: Launch, name: str) -> set[int]:
    count = launch.table(name).num_rows
    total = launch.table("prefill_batch").num_rows + launch.table("decode_batch").num_rows
    if total <= _FEW:
        return set(range(count))
    if not count:
        return set()
    found = {0, count - 1}
    for table, column, end in _EXTREMES:
        if table != name:
            continue
        try:
            values = batches.column(launch, table, column)
        except NotChecked:
            continue
        if np.isfinite(values).any():
            place = int(np.nanargmax(values) if end == "max" else np.nanargmin(values))
            found |= {place, min(place + 1, count - 1)} if end == "min" else {place}
    if name == "decode_batch":
        found |= _fullest(launch, count) | _silence(launch)
    return found


def _fullest(launch: Launch, count: int) -> set[int]:
    try:
        usage = batches.usage(launch)
    except NotChecked:
        return set()
    return {min(int(np.nanargmax(usage)), count - 1)} if np.isfinite(usage).any() else set()


def _silence(launch: Launch) -> set[int]:
    """The line before the longest silence."""
    try:
        gaps = np.diff(batches.times(launch, "decode_batch"))
    except NotChecked:
        return set()
    return {int(np.nanargmax(gaps))} if len(gaps) and np.isfinite(gaps).any() else set()
