"""More memory is free than the device has.

What it says
    An `avail mem` exceeds the total of the largest device that the log names.

Why it matters
    Gigabytes of 10⁹ are taken for those of 2³⁰, several cards are added, or host memory is meant.

Example
    avail mem=84.50 GB on a device of 79.11 GiB.

Silent when
    No line prints the total of a device, the device shares the host's memory, or the readings fit.

Source
    `get_available_gpu_memory`; torch's out-of-memory sentence.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import device_memory
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, contradiction

SEVERITY = "error"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The largest reading."""
    total = device_memory.largest(launch)
    rows = [
        row
        for name in ("load_weight", "memory_pool_end", "graph_capture", "capacity")
        for row in launch.rows(name)
        if row.get("avail_mem_gib") is not None
    ]
    if launch.arguments.get("device", "cuda") not in ("cuda", None) or launch.has("mlx_pool"):
        raise NotApplicable("free memory is that of the machine here")
    if not rows:
        raise FactMissing("no line prints free memory")
    most = max(rows, key=lambda row: float(row["avail_mem_gib"]))
    printed = most.quantity("avail_mem_gib")
    if printed.interval.lo <= total.interval.hi + 0.1:
        return None
    return contradiction(
        f"{printed.value:.2f} GiB are free on a device of {total.value:.2f} GiB.",
        printed,
        at_most(total.interval.hi),
        "avail mem ≤ memory of the device",
        total.line,
    )
