r"""What is free after all pools are allocated, one row a rank and model.

Sample
    #@ 0.1.18..0.2.6
    [gpu_id=0] Memory pool end. avail mem=8.31 GB
    #@ 0.2.14..0.5.23
    [2025-07-28 11:04:15 TP0] Memory pool end. avail mem=6.26 GB

Meaning
    Free device memory (CPU: free system memory ÷ NUMA nodes from 0.5.2) before graphs are captured: what activations,
    graphs and everything outside the pools must live in. A draft model prints a second line.

Source
    `ModelRunner.init_memory_pool`; `KVCacheConfigurator.configure` (`mem_cache/kv_cache_configurator.py`) later.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"Memory pool end\. (?P<fields>avail mem=.*)", ("Memory pool end.",), since="0.1.17", separator="="),
    ),
    columns=(Column("avail_mem_gib", "float", "Free memory at this line.", "GiB", ("avail mem",)),),
    process="scheduler",
    open_keys=True,
    informs=True,
)
