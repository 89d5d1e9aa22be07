"""The parts of the sentence of an allocator exceed the device.

What it says
    free + what the process uses is more than the total, or allocated + reserved is more than the process uses.

Why it matters
    The parts are measured at one instant: the sentence is mixed from two devices, or a number was edited.

Example
    Total 79.11 GiB, free 12.00 GiB, 74.10 GiB in use by this process.

Silent when
    The sentence prints no parts, or they fit.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import allocator, device_memory
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = device_memory.failures_of_devices(launch)
    if not rows:
        raise FactMissing("no allocator of a device failed")

    judged = 0
    for row in rows:
        sizes = {q.name: q for q in allocator.sizes(row, "free", "process", "total", "allocated", "reserved")}
        for parts, whole in ((("free", "process"), "total"), (("allocated", "reserved"), "process")):
            if whole not in sizes or any(part not in sizes for part in parts):
                continue
            judged += 1
            total = sizes[parts[0]].interval + sizes[parts[1]].interval
            if total.lo > sizes[whole].interval.hi + 0.1:
                observed = Quantity("_and_".join(parts), total.mid, total, "GiB", row.ref, "computed", row.rank)
                return compared(
                    f"{parts[0]} and {parts[1]} are {total.mid:.2f} GiB together, and {whole} is {sizes[whole].value:.2f} GiB.",
                    observed,
                    at_most(sizes[whole].interval.hi),
                    f"{parts[0]} + {parts[1]} ≤ {whole}",
                )
    if not judged:
        raise FactMissing("no sentence prints the parts of the device")
    return None
