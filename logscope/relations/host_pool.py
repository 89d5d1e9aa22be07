"""The host pool of the hierarchical cache: a multiple of the device pool, in decimal GB.

X · 10^9 = ratio · N · c, unlike every line about device memory, whose GB are GiB: the copy of a device pool of
10.42 GB prints as 11.19 times the ratio. Each rank checks the same host memory for itself, and keeps 10 GiB of it
free.

Releases: 0.4.2 and later. Exempt: `--hicache-size`, which sets X itself; the printed free memory of 0.4.2–0.4.9,
which does not subtract the reserve.
Source: `HostKVCache`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import BYTES_PER_GB, CELL_SIZE, HICACHE_RATIO, HOST_POOL, TOKENS

PAGE_ROUNDING_GB = 0.01


def relations(setting: Setting) -> list[Relation]:
    """The size of the host pool. Raises NotApplicable."""
    if setting.mlx:
        raise NotApplicable("the MLX backend has no host pool")
    size = HICACHE_RATIO * TOKENS * CELL_SIZE / BYTES_PER_GB
    return [Relation("host_pool", HOST_POOL, size, tolerance=PAGE_ROUNDING_GB, source="HostKVCache")]
