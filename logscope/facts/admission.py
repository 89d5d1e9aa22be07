"""A queue beside a nearly empty pool: which lines show it, and which count limit may bind.

Source: `Scheduler.get_new_batch_prefill`: admission stops at max_running_requests, state slots, adapter slots, or
memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from logscope.errors import FactMissing, NotChecked
from logscope.facts import batches
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

_EMPTY = 0.5
_LEAST_QUEUE = 4
STATE_SLOTS = "the slots of the state pool"


@dataclass(frozen=True, slots=True)
class Capped:
    """The most telling line: running, queued, usage; the limit that fits, in words; how much of the log shows it."""

    running: int
    queued: int
    usage: float
    limit: str
    line: LineRef
    share: float
    limit_lines: tuple[LineRef, ...] = ()  # where the limit is printed
    refused: tuple[LineRef, ...] = ()  # access lines of requests that found the queue full


def capped(launch: Launch) -> Capped:
    """A queue that lasts while the fullest pool is at most half used; raises FactMissing when there is none."""
    queue = batches.column(launch, "decode_batch", "queued_requests")
    running = batches.column(launch, "decode_batch", "running_requests")
    usage = _tokens_used(launch)
    waits = (queue >= 1) & (usage <= _EMPTY) & (queue >= 0.25 * running)
    refused = _refused(launch) if waits.any() else ()
    if not refused:  # a queue that is full is short where --max-queued-requests is small
        waits &= queue >= _LEAST_QUEUE
    if not waits.any() or waits.mean() < 0.3:
        raise FactMissing("no queue lasted beside a pool that was at most half used")
    if launch.has("disaggregation") or _transfers(launch):
        raise FactMissing("the queue belongs to a pair that hands over KV")
    place = int(np.nanargmax(np.where(waits, queue, -1)))
    limit, lines = _limit(launch, int(np.nanmax(running)))
    return Capped(
        int(running[place]),
        int(queue[place]),
        float(usage[place]),
        limit,
        batches.ref(launch, "decode_batch", place),
        float(waits.mean()),
        lines,
        refused,
    )


def _refused(launch: Launch) -> tuple[LineRef, ...]:
    """Requests answered 503, which a full queue is; a probe's 503 means another thing."""
    if not launch.has("http_access"):
        return ()
    access = launch.table("http_access")
    rows = access.filter(pc.and_(pc.equal(access["status"], 503), pc.equal(access["method"], "POST"))).to_pylist()
    return tuple(Row("http_access", cells).ref for cells in rows)


def _tokens_used(launch: Launch) -> batches.Array:
    """The fullest pool of tokens; slots of a state pool are a count and may be what binds."""
    found = []
    for name in ("token_usage_share", "full_token_usage_share", "swa_token_usage_share"):
        try:
            found.append(batches.column(launch, "decode_batch", name))
        except NotChecked:
            continue
    if not found:
        raise FactMissing("no decode line prints how full the pool of tokens is")
    highest: batches.Array = np.fmax.reduce(found)
    return highest


def _transfers(launch: Launch) -> bool:
    try:
        return bool(np.nanmax(batches.column(launch, "decode_batch", "transfer_requests")) > 0)
    except NotChecked:
        return False


def _limit(launch: Launch, most: int) -> tuple[str, tuple[LineRef, ...]]:
    """The limit that the running requests stand at, in words, and the line that prints it."""
    given = launch.arguments.get("max_running_requests")
    if isinstance(given, int) and most >= 0.9 * given:
        return f"--max-running-requests = {given}", (launch.arguments_line,)
    for row in reversed(launch.rows("capacity")):
        printed = row.get("max_running_requests")
        if printed is not None and most >= 0.9 * printed:
            return f"max_running_requests of the capacity line = {printed}", (row.ref,)
    try:
        if float(np.nanmax(batches.column(launch, "decode_batch", "mamba_usage_share"))) >= 0.9:
            return STATE_SLOTS, ()
    except NotChecked:
        pass
    return f"a limit of {most} running requests (speculation, adapters and state slots lower the default)", ()
