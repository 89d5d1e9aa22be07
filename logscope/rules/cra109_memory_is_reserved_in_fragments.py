"""More memory lay reserved and unused than was asked for.

What it says
    What the allocator reserved and does not use is more than the failed request, and more than 1 GiB.

Why it matters
    It lies in fragments: expandable segments make it usable. Lowering the fraction only hides it.

Example
    Tried to allocate 0.50 GiB with 3.10 GiB reserved and unallocated.

Silent when
    The sentence prints neither, or less is reserved.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import allocator, device_memory
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = device_memory.failures_of_devices(launch)
    if not rows:
        raise FactMissing("no allocator of a device failed")

    judged = 0
    for row in rows:
        sizes = {q.name: q for q in allocator.sizes(row, "requested", "reserved")}
        if len(sizes) < 2:
            continue
        judged += 1
        asked, spare = sizes["requested"], sizes["reserved"]
        if spare.interval.lo > max(asked.interval.hi, 1.0):
            return compared(
                f"{spare.value:.2f} GiB were reserved and unused when {asked.value:.2f} GiB could not be given: fragments.",
                spare,
                at_most(max(asked.interval.hi, 1.0)),
                "the failed request, or 1 GiB",
            )
    if not judged:
        raise FactMissing("no sentence prints what is reserved")
    return None
