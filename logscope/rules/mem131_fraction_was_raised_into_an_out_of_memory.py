"""A larger fraction ended in an out-of-memory of the device.

What it says
    A later start of the same model has a larger fraction than an earlier one, and its device ran out of memory
    outside the pool.

Why it matters
    Above a ceiling the fraction takes what graphs and forwards need. The window lies between the floor of the
    weights and this value.

Example
    0.80 was refused, 0.92 starts and fails in the first prefill.

Silent when
    No two starts with different fractions, or the later one did not run out of device memory.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool` (0.5.16 and later `mem_cache/kv_cache_configurator.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.errors import FactMissing, NotChecked
from logscope.facts import device_memory
from logscope.facts.starts_of_model import fraction_of, pairs
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launches: Sequence[Launch]) -> Finding | None:
    """The first start that was raised too far."""
    judged = 0
    for a, b in pairs(launches):
        try:
            one, two = fraction_of(a), fraction_of(b)
        except NotChecked:
            continue
        judged += 1
        failed = device_memory.failures_of_devices(b)
        if two.value > one.value and failed and not device_memory.failures_of_devices(a):
            message = f"Launch {b.id} has {two.value:g} in place of {one.value:g} and ran out of device memory outside its pool: the fraction was raised too far."
            lines = [line for line in (failed[0].ref, two.line, one.line) if line]
            return Finding(message=message, evidence=tuple(lines), launches=(a.id, b.id), way="lower")
    if not judged:
        raise FactMissing("no two starts of one model state their fractions")
    return None
