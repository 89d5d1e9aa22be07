r"""A start is refused because the memory budget leaves nothing for a pool: one row a physical line with the text.

Sample
    #@ 0.1.15..0.1.17
    Not enought memory. Please try to increase --mem-fraction-static.
    #@ 0.1.18..0.5.2
    RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.
    #@ 0.5.3..0.5.9
    RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.8
    #@ 0.5.10..0.5.23
    RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.8
    #@ 0.5.14..0.5.23
    ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.55. Raise --mem-fraction-static above 0.770 (minimum viable = 1 - available/pre = 0.7691). If using speculative decoding, draft weights count too.
    #@ 0.5.2..0.5.6.post2
    AssertionError: Not enough space for mamba cache, try to increase --max-mamba-cache-size.
    #@ 0.5.7..0.5.23
    AssertionError: Not enough space for mamba cache, try to increase --mamba-full-memory-ratio or --max-mamba-cache-size.
    #@ 0.5.13..0.5.23
    RuntimeError: Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed max_mamba_cache_size=0
    #@ 0.4.1.post5..0.5.23
    ValueError: Not enough host memory available. Requesting 66.06 GB but only have 31.20 GB free. Please reduce the size of the hierarchical cache.
    #@ 0.5.11..0.5.23
    ValueError: Not enough host memory for mamba. Requesting 66.06 GB but only have 31.20 GB free.
    #@ the same, wrapped by a terminal
    RuntimeError: Not enough memory. Please try to increase
    --mem-fraction-static. Current value: mem_fraction_static=0.93

Meaning
    The advice is right in this phase: the fraction bounds weights and pools together, so a value below the floor
    leaves nothing. `floor` is 1 − available ÷ before the load. Host memory is decimal GB. The text stands in the
    record of the exception and often once more at the end of a traceback: count lines, not failures.

Source
    `ModelRunner.init_memory_pool`, `MemoryPoolConfig.__post_init__` (`model_executor/pool_configurator.py`),
    `HostKVCache.__init__` (`mem_cache/memory_pool_host.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_OLD = r"Not enough memory\. Please try to increase --mem-fraction-static\."

FAMILY = Family(
    shapes=(
        Shape(
            rf"(?P<text>{_OLD} Current value: self\.server_args\.mem_fraction_static=(?P<fraction>[\d.]+))",
            contains="Current value: self.server_args.mem_fraction_static=",
            since="0.5.3",
            until="0.5.9",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            rf"(?P<text>{_OLD} Current value: mem_fraction_static=(?P<fraction>[\d.]+))",
            contains="Current value: mem_fraction_static=",
            since="0.5.10",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"(?P<text>(?<!increase )--mem-fraction-static\. Current value: (?:self\.server_args\.)?mem_fraction_static=(?P<fraction>[\d.]*\d))",
            contains="Current value: ",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"(?P<text>Not enough memory\. Please try to increase(?: -[\w-]*)?)\s*$",
            contains="Not enough memory. Please try to increase",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            rf"(?P<text>{_OLD})",
            contains="Not enough memory. Please try to increase --mem-fraction-static.",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"(?P<text>Not enought memory\. Please try to increase --mem-fraction-static\.)",
            contains="Not enought memory.",
            since="0.1.15",
            until="0.1.17",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"(?P<text>Loaded weights leave no \w+ memory for the KV cache(?: under --mem-fraction-static=(?P<fraction>[\d.]+\d))?"
            r"(?:.{0,300}?\. Raise --mem-fraction-static above (?P<suggested_fraction>[\d.]+\d)"
            r"(?: \(minimum viable = 1 - available/pre = (?P<floor_fraction>[\d.]+\d)\))?)?.*)",
            contains="Loaded weights leave no ",
            since="0.5.14",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"(?P<text>Not enough space for mamba cache, try to increase --max-mamba-cache-size\.)",
            contains="Not enough space for mamba cache, try to increase --max-mamba-cache-size.",
            since="0.5.2",
            until="0.5.6.post2",
            scope="line",
            sets={"pool": "state"},
        ),
        Shape(
            r"(?P<text>Not enough space for mamba cache, try to increase --mamba-full-memory-ratio.*)",
            contains="Not enough space for mamba cache, try to increase --mamba",
            since="0.5.7",
            scope="line",
            sets={"pool": "state"},
        ),
        Shape(
            r"(?P<text>Not enough GPU memory for hybrid \(mamba/linear-attention\) state cache\."
            r"(?:.*?max_mamba_cache_size=(?P<max_mamba_cache_size>-?\d+))?.*)",
            contains="Not enough GPU memory for hybrid ",
            since="0.5.13",
            scope="line",
            sets={"pool": "state"},
        ),
        Shape(
            r"(?P<text>Not enough host memory available\. Requesting (?P<requested_gb>[\d.]+) GB but only have"
            r" (?P<free_gb>[-\d.]+) GB free\..*)",
            contains="Not enough host memory available.",
            since="0.4.1.post5",
            scope="line",
            sets={"pool": "host"},
        ),
        Shape(
            r"(?P<text>Not enough host memory for .*)",
            contains="Not enough host memory for ",
            since="0.5.3",
            scope="line",
            sets={"pool": "host"},
        ),
    ),
    columns=(
        Column("pool", "text", "kv, state or host: what had no room."),
        Column("fraction", "float", "`mem_fraction_static` in force.", "share", decimals=4),
        Column(
            "suggested_fraction",
            "float",
            "The value above which the start can succeed.",
            "share",
            decimals=3,
            since="0.5.14",
        ),
        Column("floor_fraction", "float", "1 − available ÷ free before the load.", "share", decimals=4, since="0.5.14"),
        Column("max_mamba_cache_size", "int", "State slots that were computed.", "slots"),
        Column("requested_gb", "float", "Host memory asked for, decimal GB.", "GB"),
        Column("free_gb", "float", "Host memory free, decimal GB.", "GB"),
        Column("text", "text", "The sentence as printed."),
    ),
)
