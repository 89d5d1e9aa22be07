r"""Host memory of the hierarchical cache (HiCache): pools in main memory, per rank.

Sample
    #@ 0.4.1.post5..0.5.16
    [2025-11-28 11:04:15 TP0] Allocating 66.06 GB host memory for hierarchical KV cache.
    #@ 0.5.17..0.5.23
    [2026-11-28 11:04:15 TP0] Allocating kv hierarchical KV host pool: 400100 tokens, 66.06 GB host memory.
    [2026-11-28 11:04:15 TP0] HiCache memory headroom: host 20.7 GiB, cgroup 16.0 GiB
    [2026-11-28 11:04:15 TP0] HiCache auto-sizing: ratio 0.200 -> 0.200; 8.6 GiB host memory per rank (fraction 0.80, 1 ranks on this host), host pools 0.0 GiB.
    [2026-11-28 11:04:15 TP0] HiCache kv host pool (4001 tokens) is smaller than the device pool (20000 tokens);L2 cache effectiveness is reduced.Consider increasing --hicache-ratio (or --hicache-size) for higher L2 cache hit rate.
    #@ 0.5.11..0.5.23
    [2026-11-28 11:04:15 TP0] Allocating 1.20 GB host memory for hierarchical Mamba cache (288 state slots, layout=page_first).
    [2026-11-28 11:04:15 TP0] Allocating 1.20 GB host memory for DSA indexer (layout=page_first).

Meaning
    `Allocating` lines are decimal GB (÷ 10⁹), the other lines GiB. Pinned memory: it counts against the limit of the
    container and is taken per rank, so eight ranks take eight times this.

Source
    `HostKVCache.__init__` (`mem_cache/memory_pool_host.py`, later `mem_cache/pool_host/*`), `hicache_auto_size.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Allocating (?P<host_gb>[\d.]+) GB host memory for hierarchical KV cache\. *",
            ("Allocating ",),
            contains="host memory for hierarchical KV cache.",
            since="0.4.1.post5",
            until="0.5.16",
            sets={"pool": "kv"},
        ),
        Shape(
            r"Allocating (?P<pool>\S+) hierarchical KV host pool: (?P<tokens>\d+) tokens, (?P<host_gb>[\d.]+) GB host memory"
            r"(?:\.|, (?P<rest>.*)) *",
            ("Allocating ",),
            contains="hierarchical KV host pool",
        ),
        Shape(
            r"Allocating (?P<host_gb>[\d.]+) GB host memory for (?P<pool>.+?)(?: \((?P<rest>.*)\))?(?:, .*)?\.? *",
            ("Allocating ",),
            contains=" GB host memory for ",
        ),
        Shape(
            r"HiCache memory headroom: host (?P<host_free_gib>[\d.]+) GiB, cgroup (?P<cgroup_free_gib>[\d.]+|\w+)(?: GiB)? *",
            ("HiCache memory headroom",),
        ),
        Shape(
            r"HiCache auto-sizing: ratio (?P<ratio_before>[\d.]+) -> (?P<ratio>[\d.]+); (?P<per_rank_gib>[\d.]+) GiB host memory"
            r" per rank \(fraction (?P<fraction>[\d.]+), (?P<ranks>\d+) ranks on this host\), host pools"
            r" (?P<host_pools_gib>[\d.]+) GiB\.?.*",
            ("HiCache auto-sizing:",),
        ),
        Shape(
            r"HiCache (?P<pool>\S+) host pool \((?P<tokens>\d+) tokens\) is smaller than the device pool"
            r" \((?P<device_tokens>\d+) tokens\);(?P<rest>.*)",
            ("HiCache ",),
            contains=" is smaller than the device pool",
        ),
    ),
    columns=(
        Column("pool", "text", "What the pool holds."),
        Column("host_gb", "float", "Size, decimal GB, of this rank.", "GB"),
        Column("tokens", "int", "Slots of the host pool.", "tokens"),
        Column("device_tokens", "int", "Slots of the device pool.", "tokens"),
        Column("host_free_gib", "float", "Free main memory.", "GiB", decimals=1),
        Column("cgroup_free_gib", "float", "What the container may still use; huge: no limit.", "GiB", decimals=1),
        Column("per_rank_gib", "float", "Share of a rank.", "GiB", decimals=1),
        Column("host_pools_gib", "float", "What the pools take.", "GiB", decimals=1),
        Column("ratio_before", "float", "Host pool ÷ device pool, as asked for.", decimals=3),
        Column("ratio", "float", "Host pool ÷ device pool, as used.", decimals=3),
        Column("fraction", "float", "Share of free memory that may be used.", "share"),
        Column("ranks", "int", "Ranks on this host."),
        Column("rest", "text", "What else the line says."),
    ),
    process="scheduler",
    informs=True,
)
