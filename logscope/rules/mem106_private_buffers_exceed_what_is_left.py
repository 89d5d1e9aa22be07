"""The private buffers of the running requests need more memory than the pool left.

What it says
    On the MLX backend every running request owns contiguous buffers of at least 4096 tokens outside the pool. The highest
    number of running requests in this log times that is more than the memory outside the pool.

Why it matters
    Neither the budget nor `token usage` counts these buffers: the pool can be nearly empty while they exhaust the machine.

Example
    32 requests · 448 MiB = 14.0 GiB against 4.90 GiB left outside a pool of 33.39 GiB: exceeded from the twelfth on.

Silent when
    Another backend, or the requests fit.

Source
    `ContiguousKVCache` (hardware_backend/mlx), `MlxModelRunner._compute_pool_size`.
"""

from __future__ import annotations

import math

import numpy as np

from logscope.facts import batches
from logscope.facts.mlx import sizing
from logscope.finding import Finding, Gap
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity

SEVERITY = "error"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """Needed against left, at the decode line with most running requests."""
    found = sizing(launch)
    running = batches.column(launch, "decode_batch", "running_requests")
    place = int(np.nanargmax(running))
    need = Interval.exact(float(running[place]) * found.private_gib)
    if need.lo <= found.outside.hi:
        return None
    from_request = math.floor(found.outside.mid / found.private_gib) + 1
    line = batches.ref(launch, "decode_batch", place)
    observed = Quantity.computed(
        "private_buffers",
        need,
        "GiB",
        f"{int(running[place])} running · {found.private_gib * 1024:,.0f} MiB (4096 tokens · {found.cell.value:,.0f} bytes)",
    )
    left = Quantity.computed("outside_pool", found.outside, "GiB", "sys_available − kv_budget")
    return Finding(
        message=(
            f"{int(running[place])} running requests own {need.mid:.1f} GiB of private buffers outside the pool, which left "
            f"{found.outside.mid:.2f} GiB: exceeded from request {from_request} on. Fewer running requests would fit as well."
        ),
        evidence=tuple(ref for ref in (found.budget.line, line) if ref),
        observed=observed,
        computed=left,
        gap=Gap(need.mid - found.outside.mid, found.outside.width / 2, "GiB"),
        role="root",
        data={"need_gib": need.mid, "outside_gib": found.outside.mid, "from_request": from_request},
    )
