"""An allocation failed although as much was free.

What it says
    What was asked for is smaller than what the same sentence calls free.

Why it matters
    The limit is another one: a cap on the process, fragments, or memory that another process gave back meanwhile.

Example
    Tried to allocate 1.00 GiB of which 4.20 GiB is free.

Silent when
    The sentence prints no sizes, or less was free.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import allocator, device_memory
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = device_memory.failures_of_devices(launch)
    if not rows:
        raise FactMissing("no allocator of a device failed")

    for row in rows:
        sizes = {q.name: q for q in allocator.sizes(row, "requested", "free")}
        if len(sizes) == 2 and sizes["free"].interval.lo >= sizes["requested"].interval.hi + 0.02:
            asked, free = sizes["requested"], sizes["free"]
            return compared(
                f"{asked.value:.2f} GiB were refused, and {free.value:.2f} GiB were free.",
                asked,
                at_least(free.interval.lo),
                "what is free on the device",
            )
    return None
