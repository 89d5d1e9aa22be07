"""What a device has at all, and what its allocator said when it failed.

Sizes in GiB. Source: torch's out-of-memory sentence (`GPU 0 has a total capacity of …`), a pasted nvidia-smi.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import allocator
from logscope.launch import Launch, Row
from logscope.quantity import Interval, Quantity


def failures_of_devices(launch: Launch) -> list[Row]:
    """The allocator's sentences about device memory, in order."""
    rows = [row for row in launch.rows("allocator_failure") if row.get("backend") and not allocator.of_host(row)]
    return [row for row in rows if row["backend"] != "FlashInfer"]  # a workspace of fixed size, not the device


def capacities(launch: Launch) -> list[Quantity]:
    """The total of every device that the log names."""
    found = []
    for row in failures_of_devices(launch):
        found += list(allocator.sizes(row, "total"))
    for row in launch.rows("nvidia_smi"):
        if row.get("memory_total_mib") is not None:
            size = Interval.printed(row["memory_total_mib"], 0) / 1024.0
            found.append(Quantity("device_total", row["memory_total_mib"] / 1024, size, "GiB", row.ref, "printed"))
    return found


def largest(launch: Launch) -> Quantity:
    """The largest device of the log; raises FactMissing where none prints its total."""
    found = capacities(launch)
    if not found:
        raise FactMissing("no line prints the memory of the device")
    return max(found, key=lambda q: q.interval.hi)
