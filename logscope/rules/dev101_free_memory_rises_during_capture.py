"""Free memory rises while graphs are captured.

What it says
    Between two steps of one capture the free memory of the device grew by more than a GiB. Capturing only takes memory.

Why it matters
    Another process gave memory back: every number that was measured before, the pool's size among them, was measured while a
    tenant held the device.

Example
    1.85 GB at one step of a bar, 45.97 GB at the next.

Silent when
    No capture bar prints free memory, or it falls.

Source
    `CudaGraphRunner.capture` (`model_executor/cuda_graph_runner.py`), the bar's `avail_mem`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.tenants import ceiling, rise
from logscope.finding import Finding, Gap
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The largest rise inside one capture."""
    if not launch.has("progress"):
        raise FactMissing("no capture bar is in the log")
    try:
        found = rise(launch)
    except FactMissing:
        return None
    grown = found.after.value - found.before.value
    return Finding(
        message=f"Free memory rose from {found.before.value:.2f} to {found.after.value:.2f} GiB inside one capture, which only takes memory: another process gave back {grown:.2f} GiB.",
        evidence=tuple(q.line for q in (found.after, found.before) if q.line),
        observed=found.after,
        computed=ceiling(found),
        gap=Gap(grown, 0.01, "GiB"),
        role="root",
    )
