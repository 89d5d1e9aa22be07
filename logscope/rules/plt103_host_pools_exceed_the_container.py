"""The host pools exceed what the container may still use.

What it says
    The host pools of the hierarchical cache are larger than the headroom of the container that the server printed.

Why it matters
    Pinned pools count against the container: it ends a process later, without an exception.

Example
    cgroup 16.0 GiB left, host pools of 66.06 GB.

Silent when
    No container limit is printed, or the pools fit.

Source
    `hicache_auto_size.py`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    room = [
        row.quantity("cgroup_free_gib") for row in launch.rows("host_pool") if row.get("cgroup_free_gib") is not None
    ]
    sizes = [row.quantity("host_gb") for row in launch.rows("host_pool") if row.get("host_gb") is not None]
    if not room or not sizes:
        raise FactMissing("no line prints the limit of the container and a host pool")
    total = sum(size.interval.lo for size in sizes) * 1e9 / 2**30
    if total <= room[0].interval.hi:
        return None
    observed = Quantity("host_pools", total, Interval.exact(total), "GiB", sizes[0].line, "computed")
    return compared(
        f"{len(sizes)} host pools take {total:.1f} GiB, and the container had {room[0].value:.1f} GiB left.",
        observed,
        at_most(room[0].interval.hi),
        "headroom of the container",
        room[0].line,
    )
