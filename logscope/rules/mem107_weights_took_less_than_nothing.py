"""A load of weights left more free memory than there was before it.

What it says
    The `mem usage` of a load is negative beyond rounding: memory became free while weights were loaded.

Why it matters
    On memory that the device shares with the host the page cache of an earlier load is given back, which is normal. On a
    discrete device another process ended meanwhile, and the pool is sized from a reading that no longer holds.

Example
    28.81 GB before and 30.67 GB after a draft model: −1.86 GB.

Silent when
    Every load took memory.

Source
    `ModelRunner.load_model` (`model_executor/model_runner.py`); `psutil.virtual_memory` on shared memory.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding, Gap
from logscope.launch import Rank
from logscope.quantity import Interval, Quantity

SEVERITY = "note"
KIND = "smell"
_SENSOR_GIB = 0.05


def check(rank: Rank) -> Finding | None:
    """The load with the most negative usage."""
    rows = [row for row in rank.rows("load_weight") if row.get("mem_usage_gib") is not None]
    if not rows:
        raise FactMissing(f"{rank.name} printed no memory usage of a load")
    row = min(rows, key=lambda r: r["mem_usage_gib"])
    observed = row.quantity("mem_usage_gib", "weights")
    if observed.interval.hi >= -_SENSOR_GIB:
        return None
    computed = Quantity(
        "weights",
        0.0,
        Interval(0.0, float("inf")),
        "GiB",
        None,
        "computed",
        rank.name,
        "a load takes memory: 0 or more",
    )
    return Finding(
        message=f"{observed.value:.2f} GiB were taken by a load: {-observed.value:.2f} GiB became free meanwhile. On memory shared with the host the page cache gave way; on a discrete device another process ended.",
        evidence=(row.ref,),
        observed=observed,
        computed=computed,
        gap=Gap(-observed.value, observed.interval.width / 2, "GiB"),
    )
