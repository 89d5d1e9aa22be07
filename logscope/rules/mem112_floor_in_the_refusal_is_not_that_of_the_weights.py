"""The floor in the refusal is not the floor of these weights.

What it says
    minimum viable in the refusal differs from 1 − after ÷ before of the lines around the weights.

Why it matters
    Both are computed from the same two readings: the refusal belongs to another rank or another start.

Example
    minimum viable 0.7691 beside 90.00 GB before and 45.00 GB after the weights, which give 0.5000.

Silent when
    The refusal names no floor, ranks are missing, or the two agree.

Source
    `kv_cache_configurator.py`, 0.5.14 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import pool_group, settings
from logscope.facts.budget import budget
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import compared

SEVERITY = "warning"
KIND = "mismatch"
_SENSOR_GIB, _SHARED_GIB = 0.02, 0.3


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("budget_refused") if row.get("floor_fraction") is not None]
    if not rows:
        raise FactMissing("no refusal names the smallest fraction")
    if not all(pool_group.complete(rank) for rank in pool_group.loading_ranks(launch)):
        raise FactMissing("ranks are missing, so the least reading of all is not known")
    found = budget(launch)
    least = found.before
    sensor = _SHARED_GIB if settings.shared_memory(launch) else _SENSOR_GIB
    floor = (1 - found.after.interval / least.interval).widened(1e-4 + sensor / least.value)
    printed = rows[0].quantity("floor_fraction")
    if not printed.interval.disjoint(floor):
        return None
    return compared(
        f"The refusal names {printed.value:.4f} as the smallest fraction, and the weights give {floor.mid:.4f}: {found.after.value:.2f} of {least.value:.2f} GiB are free after them.",
        printed,
        floor,
        "1 − avail_after_load ÷ avail_before_load",
        found.after.line,
        least.line,
    )
