"""A queue beside a nearly empty pool: which lines show it, and which count limit may bind.

Source: `Scheduler.get_new_batch_prefill`: admission stops at max_running_requests, state slots, adapter slots, or
memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logscope.errors import FactMissing, NotChecked
from logscope.facts import batches
from logscope.launch import Launch
from logscope.quantity import LineRef

_EMPTY = 0.5
_LEAST_QUEUE = 4


@dataclass(frozen=True, slots=True)
class Capped:
    """The most telling line: running, queued, usage; the limit that fits, in words; how much of the log shows it."""

    running: int
    queued: int
    usage: float
    limit: str
    line: LineRef
    share: float


def capped(launch: Launch) -> Capped:
    """A queue that lasts while the fullest pool is at most half used; raises FactMissing when there is none."""
    queue = batches.column(launch, "decode_batch", "queued_requests")
    running = batches.column(launch, "decode_batch", "running_requests")
    usage = batches.usage(launch)
    waits = (queue >= _LEAST_QUEUE) & (usage <= _EMPTY) & (queue >= 0.25 * running)
    if not waits.any() or waits.mean() < 0.3:
        raise FactMissing("no queue lasted beside a pool that was at most half used")
    if launch.has("disaggregation") or _transfers(launch):
        raise FactMissing("the queue belongs to a pair that hands over KV")
    place = int(np.nanargmax(np.where(waits, queue, -1)))
    return Capped(
        int(running[place]),
        int(queue[place]),
        float(usage[place]),
        _limit(launch, int(np.nanmax(running))),
        batches.ref(launch, "decode_batch", place),
        float(waits.mean()),
    )


def _transfers(launch: Launch) -> bool:
    try:
        return bool(np.nanmax(batches.column(launch, "decode_batch", "transfer_requests")) > 0)
    except NotChecked:
        return False


def _limit(launch: Launch, most: int) -> str:
    given = launch.arguments.get("max_running_requests")
    printed = [
        row["max_running_requests"] for row in launch.rows("capacity") if row.get("max_running_requests") is not None
    ]
    for name, value in (
        ("--max-running-requests", given),
        ("max_running_requests of the capacity line", printed[-1] if printed else None),
    ):
        if isinstance(value, int) and most >= 0.9 * value:
            return f"{name} = {value}"
    try:
        if float(np.nanmax(batches.column(launch, "decode_batch", "mamba_usage_share"))) >= 0.9:
            return "the slots of the state pool"
    except NotChecked:
        pass
    return f"a limit of {most} running requests (speculation, adapters and state slots lower the default)"
