"""The host pool is not its ratio of the device pool.

What it says
    The host memory of the hierarchical cache, in 10⁹ bytes, is not hicache_ratio times the bytes of the device
    pool.

Why it matters
    The ratio or the device pool belongs to another start, or gigabytes of 2³⁰ are compared with those of 10⁹.

Example
    10.42 GiB and a ratio of 2 give 22.38 GB.

Silent when
    hicache_size sets it, the pool has parts, the server sized it by itself, or it fits within 3 %.

Source
    `HostKVCache.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import limits, pools, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "host_pool", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    limits.whole(rank)
    ratio = settings.number(launch, "hicache_ratio", "share")
    if settings.set_to(launch, "hicache_size") or any(row.get("ratio") is not None for row in rank.rows("host_pool")):
        raise NotApplicable("the size is given, or chosen by the server")
    rows = [row for row in rank.rows("host_pool") if row.get("pool") == "kv" and row.get("host_gb") is not None]
    if not rows:
        raise FactMissing(f"{rank.name} printed no host pool")
    pool = pools.size(rank)
    wanted = pool.interval * float(2**30 / 1e9 * ratio.value)
    printed = rows[0].quantity("host_gb")
    if printed.interval.distance(wanted) <= 0.03 * printed.value:
        return None
    return compared(
        f"The host pool is {printed.value:.2f} GB, and {ratio.value:g} times a device pool of {pool.value:.2f} GiB are {wanted.mid:.2f} GB.",
        printed,
        wanted,
        "hicache_ratio · kv_pool · 2³⁰ ÷ 10⁹",
        pool.line,
        ratio.line,
    )
