"""Another process holds much of the device that ran out of memory.

What it says
    The sentence of the allocator names another process with a tenth or more of the device.

Why it matters
    What it holds came after the pool was sized, or was there from the start: no setting of this server gives it
    back. End it, or choose another device.

Example
    Process 41 has 14.73 GiB memory in use.

Silent when
    The sentence names no other process, or it holds less.

Source
    torch `CUDACachingAllocator.cpp`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import allocator, device_memory
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, compared

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = device_memory.failures_of_devices(launch)
    if not rows:
        raise FactMissing("no allocator of a device failed")
    for row in rows:
        sizes = {q.name: q for q in allocator.sizes(row, "other_process", "process", "total")}
        if (
            "process" in sizes
            and "other_process" in sizes
            and "total" in sizes
            and sizes["other_process"].value >= 0.1 * sizes["total"].value
        ):
            held, total = sizes["other_process"], sizes["total"]
            return compared(
                f"Another process holds {held.value:.2f} of {total.value:.2f} GiB of the device that ran out of memory.",
                held,
                at_most(0.1 * total.interval.hi),
                "a tenth of the device",
            )
    return None
