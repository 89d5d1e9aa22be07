"""A capture failed with memory to spare.

What it says
    The record of the failed capture names no lack of memory, and more than 2 GiB were free when it began.

Why it matters
    The hints about memory are printed for every failure of a capture. The exception above them is the cause: a
    kernel, a compiler, a shape. A smaller fraction changes nothing.

Example
    Capture cuda graph failed: no kernel image is available, with 10.30 GB free.

Silent when
    No capture failed, memory ran out, or little was free.

Source
    `CudaGraphRunner.__init__` (the text of the exception).
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.failures import failures
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    failed = [f for f in failures(launch) if f.phase == "capture" and f.kind == "failure" and not f.follows]
    if not failed:
        raise FactMissing("no capture failed")
    begun = [
        row
        for row in launch.rows("graph_capture")
        if row.get("kind") == "begin" and row.get("avail_mem_gib") is not None
    ]
    if not begun:
        raise FactMissing("no capture prints its free memory")
    lacks = any(
        "allocator_failure" in f.marks or "memory" in (f.root.message if f.root else "").lower() for f in failed
    )
    free = begun[-1].quantity("avail_mem_gib")
    if lacks or free.interval.hi <= 2.0:
        return None
    return Finding(
        message=f"A capture failed with {free.value:.2f} GiB free, and no allocator complained: the hints about memory do not apply.",
        evidence=(failed[0].decisive, begun[-1].ref),
        rank=failed[0].rank,
    )
