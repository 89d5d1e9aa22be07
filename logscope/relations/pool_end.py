"""What is left when the pools exist: free memory after the load, less the pools and the request table.

P = A − K − table, rank-local, before a draft's pool is made; with the budget it follows that P + table = (1 − f) · T,
which needs no pool size and so gives the fraction a second time. Every buffer is rounded up to 2 MiB by the allocator,
hence 0.15 GiB and 4 MiB a layer.

Releases: 0.4.4 and later. Exempt: MLX and CPU (their pools are touched later), address space that is not yet backed
(`KV Cache VA upper bound`, post-capture sizing).
Source: `ModelRunner.init_memory_pool` (log line `Memory pool end`).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Expression
from logscope.relation import Relation, Sense
from logscope.relations import Setting
from logscope.relations._variables import (
    AVAIL_AFTER_LOAD,
    AVAIL_POOL_END,
    KV_POOL,
    OWN_AVAIL_AFTER_LOAD,
    REQUEST_TABLE,
    STATE_POOL,
)

BUFFERS_GIB = 0.15
LAYER_GIB = 0.004
MOST_LAYERS = 130
"""Taken where the number of layers is not known: more than any public model has."""


def relations(setting: Setting) -> list[Relation]:
    """The balance at the end of the pools. Raises NotApplicable."""
    if setting.mlx or setting.device == "cpu":
        raise NotApplicable("this backend touches its pool at the first forward only")
    if setting.virtual or setting.post_capture:
        raise NotApplicable("the pool is address space that is backed later")
    after = AVAIL_AFTER_LOAD if setting.smallest else OWN_AVAIL_AFTER_LOAD
    left: Expression = after - KV_POOL - REQUEST_TABLE
    if "state" in setting.pools:
        left = left - STATE_POOL
    slack, sensor = BUFFERS_GIB + LAYER_GIB * (setting.layers or MOST_LAYERS), setting.sensor_gib
    source = "ModelRunner.init_memory_pool"
    # Ring buffers and checkpoints of states take more, and no line of the pools tells it.
    sense: Sense = "≤" if "state" in setting.pools else "="
    return [Relation("pool_end", AVAIL_POOL_END, left, sense, tolerance=slack, sensor=sensor, source=source)]
