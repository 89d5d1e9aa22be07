"""The host pools of all ranks exceed the memory of the host.

What it says
    The host pool of a rank, times the ranks of this log, is more than the host had free.

Why it matters
    Each rank checks the same memory for itself: every check passes, and the system ends a process later.

Example
    Eight ranks of 66 GB on a host with 400 GB free.

Silent when
    No line prints the free memory of the host, or the pools fit.

Source
    `HostKVCache.__init__`, `hicache_auto_size.py`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    free = [row.quantity("host_free_gib") for row in launch.rows("host_pool") if row.get("host_free_gib") is not None]
    sizes = [row.quantity("host_gb") for row in launch.rows("host_pool") if row.get("host_gb") is not None]
    if not free or not sizes:
        raise FactMissing("no line prints the host's free memory and a host pool")
    total = sum(size.interval.lo for size in sizes) * 1e9 / 2**30
    most = max(free, key=lambda q: q.value)
    if total <= most.interval.hi:
        return None
    observed = Quantity("host_pools", total, Interval.exact(total), "GiB", sizes[0].line, "computed")
    return compared(
        f"{len(sizes)} host pools take {total:.1f} GiB, and the host had {most.value:.1f} GiB free.",
        observed,
        at_most(most.interval.hi),
        "free memory of the host",
        most.line,
    )
