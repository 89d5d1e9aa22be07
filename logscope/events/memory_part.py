r"""Memory that a part of the server takes beside weights and KV pools, one row a line.

Sample
    #@ 0.5.3.post3..0.5.23
    [2026-01-12 02:47:08 TP0] SWAKVPool mem usage: 18.70 GB, swa size: 838860, full size: 1048576
    #@ 0.5.18..0.5.23
    [2026-10-12 02:47:08 TP0] SWAKVPool VA upper bound: 18.70 GB, swa size: 838860, full size: 1048576
    #@ 0.5.18..0.5.23
    [2026-10-12 02:47:08 TP0] Reserving 2.10 GB of the KV budget for post-sizing multimodal allocations (feature-transport pools + embedding cache).
    #@ 0.5.16..0.5.23
    [2026-09-12 02:47:08 TP0] KvVmmArena[kv] ready: device=0 reserved=64.00 GiB granularity=2048 KiB
    [2026-09-12 02:47:08 TP0] All Reduce config: symmetric_memory = 64.00 MB, local_buffer = 8.00 MB, multicast = True
    #@ 0.5.9..0.5.23
    [2026-02-12 02:47:08 TP0] Pre-allocating symmetric memory pool with 4 GiB
    #@ 0.5.20..0.5.23
    [2026-10-12 02:47:08 TP0] Graph pool pre-carved: 1.20 GB
    #@ 0.5.12..0.5.23
    [2026-10-12 02:47:08 TP0] DeviceCache[topk] allocated: shape=(8192, 61, 8), size=15.25 MB
    [2026-10-12 02:47:08 TP0] HostCache[topk] allocated: shape=(400000, 61, 8), size=0.73 GB
    #@ 0.5.7..0.5.11
    [2026-02-12 02:47:08 TP0] Routing experts device buffer allocated. #shape: (8192, 61, 8), size: 15.25 MB
    [2026-02-12 02:47:08 TP0] Routing experts host buffer allocated. #tokens: 400000, size: 0.73 GB
    #@ 0.5.10..0.5.23
    [2026-04-12 02:47:08 TP0] StagingBuffer allocated: 512.0 MB on cuda:0, method=cudaMalloc, ptr=0x7f0000000000
    #@ 0.5.15..0.5.23
    [2026-07-12 02:47:08 TP0] Full-CG prefill workspace: 512 MB (max bucket 8192 tokens, 64 request slots)
    #@ 0.5.18..0.5.23
    [2026-10-12 02:47:08 TP0] DeepGEMM masked layout budget: 3.20 GiB from 9.80 GiB free.
    #@ 0.5.12..0.5.23
    [2026-10-12 02:47:08 TP0] DSV4 memory calculation: bytes_per_full_token=1234.50, available_bytes=37.40 GB, full_token=571648

Meaning
    What stands outside the budget of `--mem-fraction-static` unless the line says that it comes from the KV budget.
    `size` and its unit are as printed; GB and MB are GiB and MiB. `VA upper bound` and `reserved` are address space.

Source
    `mem_cache/swa_memory_pool.py`, `kv_vmm_backing.py`, `kv_cache_configurator.py`, `pool_configurator.py`,
    `state_capturer/base.py`, `custom_all_reduce_v2.py`, `disaggregation/common/staging_buffer.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_GIB = r"(?P<size_gib>[-\d.]*\d)"
_MIB = r"(?P<size_mib>[-\d.]*\d)"

FAMILY = Family(
    shapes=(
        Shape(
            rf"SWAKVPool mem usage: {_GIB} GB, swa size: (?P<swa_tokens>\d+), full size: (?P<tokens>\d+) *",
            ("SWAKVPool mem usage:",),
            since="0.5.3.post3",
            sets={"part": "sliding_window_pool", "place": "device"},
        ),
        Shape(
            rf"SWAKVPool VA upper bound: {_GIB} GB, swa size: (?P<swa_tokens>\d+), full size: (?P<tokens>\d+) *",
            ("SWAKVPool VA upper bound:",),
            since="0.5.18",
            sets={"part": "sliding_window_pool", "place": "address_space"},
        ),
        Shape(
            rf"Reserving {_GIB} GB of the KV budget for (?P<rest>.*)",
            ("Reserving ",),
            contains=" GB of the KV budget",
            since="0.5.18",
            sets={"part": "multimodal", "place": "kv_budget"},
        ),
        Shape(
            rf"KvVmmArena\[(?P<label>[^\]]*)\] ready: device=(?P<device>\d+) reserved(?:_va)?={_GIB} GiB(?P<rest>.*)",
            ("KvVmmArena[",),
            since="0.5.16",
            sets={"part": "kv_arena", "place": "address_space"},
        ),
        Shape(
            rf"All Reduce config: symmetric_memory = {_MIB} MB, local_buffer = (?P<local_mib>[\d.]+) MB(?P<rest>.*)",
            ("All Reduce config:",),
            since="0.5.16",
            sets={"part": "all_reduce", "place": "device"},
        ),
        Shape(
            rf"Pre-allocating symmetric memory pool with {_GIB} GiB *",
            ("Pre-allocating symmetric memory",),
            since="0.5.9",
            sets={"part": "symmetric_memory", "place": "device"},
        ),
        Shape(
            rf"Graph pool pre-carved: {_GIB} GB *",
            ("Graph pool pre-carved:",),
            since="0.5.20",
            sets={"part": "graph_pool", "place": "device"},
        ),
        Shape(
            rf"DeviceCache\[(?P<label>[^\]]*)\] allocated: shape=(?P<rest>.*), size={_MIB} MB *",
            ("DeviceCache[",),
            since="0.5.12",
            sets={"part": "state_capture", "place": "device"},
        ),
        Shape(
            rf"HostCache\[(?P<label>[^\]]*)\] allocated: shape=(?P<rest>.*), size={_GIB} GB *",
            ("HostCache[",),
            since="0.5.12",
            sets={"part": "state_capture", "place": "host"},
        ),
        Shape(
            rf"Routing experts device buffer allocated\. #shape: (?P<rest>.*), size: {_MIB} MB *",
            ("Routing experts device",),
            since="0.5.7",
            until="0.5.11",
            sets={"part": "routed_experts", "place": "device"},
        ),
        Shape(
            rf"Routing experts host buffer allocated\. #tokens: (?P<tokens>\d+), size: {_GIB} GB *",
            ("Routing experts host",),
            since="0.5.7",
            until="0.5.11",
            sets={"part": "routed_experts", "place": "host"},
        ),
        Shape(
            rf"Staging(?:Buffer allocated|Allocator \(ring\+overcommit\)): {_MIB} MB on (?P<label>[\w:]+),? ?(?P<rest>.*)",
            ("StagingBuffer allocated:", "StagingAllocator ("),
            since="0.5.10",
            sets={"part": "staging", "place": "device"},
        ),
        Shape(
            rf"Full-CG prefill workspace: {_MIB} MB (?P<rest>.*)",
            ("Full-CG prefill workspace:",),
            since="0.5.15",
            sets={"part": "prefill_workspace", "place": "device"},
        ),
        Shape(
            rf"DeepGEMM masked layout budget: {_GIB} GiB from (?P<avail_mem_gib>[\d.]+) GiB free\. *",
            ("DeepGEMM masked layout budget:",),
            since="0.5.18",
            sets={"part": "deep_gemm", "place": "device"},
        ),
        Shape(
            rf"DSV4 memory calculation: (?P<rest>.*?)bytes_per_full_token=(?P<bytes_per_token>[\d.]+),"
            rf" available_bytes={_GIB} GB, (?:.*, )?full_token=(?P<tokens>\d+) *",
            ("DSV4 memory calculation:",),
            since="0.5.12",
            sets={"part": "kv_budget", "place": "kv_budget"},
        ),
    ),
    columns=(
        Column("part", "text", "What the memory is for."),
        Column("place", "text", "device, host, kv_budget (taken from it), address_space (no memory yet)."),
        Column("label", "text", "Name in the line."),
        Column("size_gib", "float", "Size.", "GiB"),
        Column("size_mib", "float", "Size.", "MiB"),
        Column("local_mib", "float", "All-reduce: local buffer.", "MiB"),
        Column("avail_mem_gib", "float", "Free memory at this line.", "GiB"),
        Column("tokens", "int", "Slots that it holds.", "tokens"),
        Column("swa_tokens", "int", "Slots of the sliding-window layers.", "tokens"),
        Column("bytes_per_token", "float", "Bytes of a token in all layers.", "B"),
        Column("device", "int", "Number of the device."),
        Column("rest", "text", "What else the line says."),
    ),
    process="scheduler",
)
