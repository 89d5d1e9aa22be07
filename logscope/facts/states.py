"""In which state the log leaves a launch: starting, failed_startup, ready, ready_then_crashed, hung, stopped or
unknown.
"""

from __future__ import annotations

import contextlib
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from logscope.errors import FactMissing
from logscope.facts.asked import limits
from logscope.facts.failures import Failure, failures
from logscope.facts.generated import generated
from logscope.facts.origin import is_own
from logscope.facts.phases import milestones, time_of
from logscope.facts.sequence import before, by_line
from logscope.launch import BATCHES, Launch, Rank, Row
from logscope.quantity import LineRef

State = Literal["starting", "failed_startup", "ready", "ready_then_crashed", "hung", "stopped", "unknown"]

_FATAL = (
    "failure",
    "uvicorn",
    "allocator_failure",
    "device_fault",
    "fatal_signal",
    "process_exit",
    "watchdog",
    "kernel_oom",
    "budget_refused",
    "argparse_error",
    "signal",
    "shell",
)
# Families that only a server prints that comes up, and the phases that a record's own frames name.
_STARTS = (
    "server_args",
    "argparse_error",
    "distributed_init",
    "load_weight",
    "memory_pool_end",
    "kv_pool",
    "graph_capture",
    "capacity",
    "budget_refused",
    "imbalance",
    "uvicorn",
)
_OF_WARM_UP = 3  # answers that a server gives before it says that it is ready: model info, health, its own request
_OF_REQUESTS = ("request_refused", "request_abort", "retraction")
_STARTING = ("arguments", "init", "load", "pool", "workspace", "capture", "warm_up")


def was_ready(launch: Launch) -> bool:
    """Whether the launch served: it said so, or it ran batches after its warm-up or without a start in the log."""
    if launch.has("ready", *_OF_REQUESTS) or generated(launch):
        return True
    batches = launch.table("decode_batch").num_rows + launch.table("prefill_batch").num_rows
    return batches > 0 and (not launch.has("capacity", "load_weight") or batches > 2)


def stop_line(launch: Launch) -> LineRef | None:
    """The line with which an orderly end begins, unless something had failed before it."""
    stop = stop_row(launch)
    return stop.ref if stop is not None else None


def stop_row(launch: Launch) -> Row | None:
    """The row of that line; None if there is none."""
    rows = [row for row in launch.rows("shutdown") if row.get("kind") != "kill_tree"]
    rows += [row for row in launch.rows("uvicorn") if row.get("event") == "shutting_down"]
    rows += limits(launch)
    return next(iter(by_line(launch, rows, where)), None)


def where(row: Row) -> tuple[LineRef, float | None]:
    """The line and the time of a row."""
    return row.ref, time_of(row)


def fatal(launch: Launch) -> list[Failure]:
    """Failures that can end a server, in the order of events."""
    return [failure for failure in failures(launch) if failure.kind in _FATAL and not failure.survived]


def state_of(launch: Launch) -> State:
    """The state at the end of the log; "unknown" where it is another program's."""
    if not is_own(launch):
        return "unknown"
    ended = fatal(launch)
    stop = stop_row(launch)
    if stop is not None and not any(before(launch, (f.ref, f.time), where(stop)) for f in ended):
        return "stopped"
    ready = was_ready(launch) or any(_served(failure, launch) for failure in ended)
    if any(f.kind == "watchdog" for f in ended) and not any(f.kind in ("signal", "process_exit") for f in ended):
        return "hung"
    if ended and ready:
        return "ready_then_crashed"
    if ready:
        return "ready"
    if ended:
        return "failed_startup" if launch.has(*_STARTS) or any(f.phase in _STARTING for f in ended) else "unknown"
    return "starting" if launch.has(*_STARTS) else "unknown"


def _served(failure: Failure, launch: Launch) -> bool:
    """Whether a failure happens to servers only that had been serving: an idle check, an exhausted pool, a watchdog, or
    a forward pass, unless the log shows the start and no word that it came up: then it was the warm-up's.
    """
    if {"pool_leak", "pool_exhausted", "watchdog"} & set(failure.marks):
        return True
    warming = launch.has("capacity") and launch.table("http_access").num_rows <= _OF_WARM_UP
    return failure.phase in ("serving", "shutdown") and not warming


def ready_at(launch: Launch) -> float | None:
    """When the launch said that it serves, in seconds since 1970-01-01; None where it did not or has no clock."""
    return next((m.time for m in milestones(launch) if m.phase == "serving" and m.time is not None), None)


def last_good_at(launch: Launch) -> float | None:
    """The last moment of a launch that ended badly at which it is seen to work: its last batch before what ended it,
    else when it was ready; seconds since 1970-01-01. None where it did not serve, works still, or has no clock.
    """
    ended = next((failure.time for failure in fatal(launch) if failure.time is not None), None)
    if ended is None or state_of(launch) not in ("ready_then_crashed", "hung"):
        return None
    moments = [ready_at(launch)]
    with contextlib.suppress(FactMissing):
        moments.append(last_batch_at(launch, ended))
    return max((moment for moment in moments if moment is not None and moment <= ended), default=None)


def last_batch_at(subject: Rank | Launch, until_s: float) -> float:
    """When the last batch line up to a moment was printed, seconds since 1970-01-01; raises FactMissing without."""
    until = pa.scalar(round(until_s * 1000), pa.int64())
    moments = []
    for table in (subject.table(name) for name in BATCHES):
        if not table.num_rows:
            continue
        times = table["time"].cast("int64")
        moments.append(pc.max(times.filter(pc.less_equal(times, until))).as_py())
    if all(moment is None for moment in moments):
        raise FactMissing(
            f"{subject.name if isinstance(subject, Rank) else 'the launch'} ran no batch before that moment"
        )
    return float(max(moment for moment in moments if moment is not None)) / 1000


def last_row(launch: Launch, *names: str) -> Row | None:
    """The last row of these families by line."""
    rows = [
        Row(name, launch.table(name).slice(launch.table(name).num_rows - 1).to_pylist()[0])
        for name in names
        if launch.has(name)
    ]
    return max(rows, key=lambda row: row.ref.line, default=None)
