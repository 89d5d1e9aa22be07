"""The device was not empty when the weights came.

What it says
    Less than nine tenths of the device, and 1.5 GiB, were free before the first weights.

Why it matters
    An earlier start, another server or a display holds the rest. The automatic fraction is computed from the whole
    card, so what it leaves shrinks by the same share; a smaller fraction, or ending the other process, mends it.

Example
    40.10 of 79.11 GiB free before the weights.

Silent when
    No line prints the total of the device, or it was empty.

Source
    `get_available_gpu_memory`, `get_device_memory_capacity`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import device_memory, memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "load_weight", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if settings.shared_memory(launch):
        raise NotApplicable("the memory is the machine's")
    total = device_memory.largest(launch)
    if len({round(q.value) for q in device_memory.capacities(launch)}) > 1:
        raise NotApplicable("the devices of this machine differ")
    before = memory.available_before_load(rank)
    if before.interval.hi >= 0.9 * total.value - 1.5:
        return None
    return compared(
        f"{before.value:.2f} of {total.value:.2f} GiB were free before the weights: {total.value - before.value:.1f} GiB belong to someone else.",
        before,
        at_least(0.9 * total.value - 1.5),
        "nine tenths of the device, less a context",
        total.line,
    )
