r"""The MLX backend (Apple silicon): what it took as its limits and how large its pool is.

Sample
    #@ 0.5.10..0.5.23
    [2026-09-12 02:47:08] Initializing MlxModelRunner for end-to-end MLX inference
    [2026-09-12 02:47:08] Loading MLX model: mlx-community/Qwen3-4B-4bit
    [2026-09-12 02:47:08] MLX model loaded in 3.21s
    [2026-09-12 02:47:08] MLX stub: skipping PyTorch model weight loading (inference runs through MLX)
    [2026-09-12 02:47:08] MLX stub: initialized minimal pools (max_total_num_tokens=113090, max_running_requests=256, zero GPU KV cache allocation)
    #@ 0.5.11..0.5.23
    [2026-09-12 02:47:08] Wired memory limit set to 36.0 GB
    #@ 0.5.18..0.5.23
    [2026-09-12 02:47:08] MLX buffer cache limit set to 2.0 GB
    #@ 0.5.12..0.5.23
    [2026-09-12 02:47:08] Quantizing MLX model on-the-fly: bits=4 group_size=64 (preset=4bit)
    [2026-09-12 02:47:08] Quantization complete in 3.1s — weight bytes: 8.10 GB -> 2.30 GB (71.6% reduction)
    #@ 0.5.11..0.5.12.post1
    [2026-05-12 02:47:08] Auto-sized KV pool: sys_available=31.20 GB, mlx_limit=48.0 GB, mlx_used=16.10 GB, kv_budget=12.08 GB, bytes_per_slot=114688, pool_size=113090
    [2026-05-12 02:47:08] KV pool initialized: pool_size=113090 (buffer size 113091 incl. padding slot 0), 28 layers, 8 kv_heads, 128 head_dim
    [2026-05-12 02:47:08] MlxKVPool: 113090 slots × 28 layers × 8 heads × 128 dim, dtype=mlx.core.bfloat16, ~12369.5 MB
    #@ 0.5.13..0.5.23
    [2026-09-12 02:47:08] Auto-sized attention KV pool: sys_available=31.20 GB, mlx_limit=48.0 GB, mlx_used=16.10 GB, kv_budget=12.08 GB, bytes_per_slot=114688, pool_size=113090
    [2026-09-12 02:47:08] Attention KV pool initialized: pool_size=113090 (buffer size 113091 incl. padding slot 0), 28 layers, 8 kv_heads, 128 head_dim
    [2026-09-12 02:47:08] MlxAttentionKVPool: 113090 slots x 28 layers x 8 heads x 128 dim, dtype=mlx.core.bfloat16, ~12369.5 MB

Meaning
    `sys_available` is free system memory after the weights, `kv_budget` what the fraction makes of it: on this backend
    the fraction multiplies memory that is free after the load. Each running request owns private buffers outside the
    pool, and the generic pool line reads zero: both are normal.

Source
    `hardware_backend/mlx/*` (0.5.10 and later, environment SGLANG_USE_MLX=1).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_SIZED = (
    r"sys_available=(?P<sys_available_gib>[-\d.]+) GB, mlx_limit=(?P<mlx_limit_gib>[-\d.]+) GB,"
    r" mlx_used=(?P<mlx_used_gib>[-\d.]+) GB, kv_budget=(?P<kv_budget_gib>[-\d.]+) GB,"
    r" bytes_per_slot=(?P<bytes_per_slot>\d+), pool_size=(?P<pool_size_tokens>-?\d+)(?:, (?P<rest>.*))? *"
)
_MADE = (
    r"pool_size=(?P<pool_size_tokens>\d+) \(buffer size (?P<buffer_size_tokens>\d+) incl\. padding slot 0\),"
    r" (?P<layers>\d+) layers, (?P<kv_heads>\d+) kv_heads, (?P<head_dim>\d+) head_dim(?P<rest>.*)"
)

FAMILY = Family(
    shapes=(
        Shape(
            r"Auto-sized KV pool: " + _SIZED,
            ("Auto-sized KV pool:",),
            since="0.5.11",
            until="0.5.12.post1",
            sets={"kind": "sized"},
        ),
        Shape(
            r"Auto-sized attention KV pool: " + _SIZED,
            ("Auto-sized attention KV pool:",),
            since="0.5.13",
            sets={"kind": "sized"},
        ),
        Shape(
            r"KV pool initialized: " + _MADE,
            ("KV pool initialized:",),
            since="0.5.11",
            until="0.5.12.post1",
            sets={"kind": "initialized"},
        ),
        Shape(
            r"Attention KV pool initialized: " + _MADE,
            ("Attention KV pool initialized:",),
            since="0.5.13",
            sets={"kind": "initialized"},
        ),
        Shape(
            r"MlxKVPool: (?P<pool_size_tokens>\d+) slots × (?P<layers>\d+) layers × (?P<kv_heads>\d+) heads ×"
            r" (?P<head_dim>\d+) dim, dtype=(?P<dtype>[\w.]+), ~(?P<pool_mib>[\d.]+) MB *",
            ("MlxKVPool:",),
            since="0.5.11",
            until="0.5.12.post1",
            sets={"kind": "allocated"},
        ),
        Shape(
            r"MlxAttentionKVPool: (?P<pool_size_tokens>\d+) slots x (?P<layers>\d+) layers x (?P<kv_heads>\d+) heads x"
            r" (?P<head_dim>\d+) dim, dtype=(?P<dtype>[\w.]+), ~(?P<pool_mib>[\d.]+) MB *",
            ("MlxAttentionKVPool:",),
            since="0.5.13",
            sets={"kind": "allocated"},
        ),
        Shape(
            r"Initializing MlxModelRunner for end-to-end MLX inference(?P<rest>.*)",
            ("Initializing MlxModelRunner",),
            since="0.5.10",
            sets={"kind": "begin"},
        ),
        Shape(
            r"Wired memory limit set to (?P<wired_limit_gib>[\d.]+) GB *",
            ("Wired memory limit",),
            since="0.5.11",
            sets={"kind": "limit"},
        ),
        Shape(
            r"MLX buffer cache limit set to (?P<buffer_cache_limit_gib>[\d.]+) GB *",
            ("MLX buffer cache limit",),
            since="0.5.18",
            sets={"kind": "limit"},
        ),
        Shape(
            r"Loading MLX model: (?P<model>.*)", ("Loading MLX model:",), since="0.5.10", sets={"kind": "load_begin"}
        ),
        Shape(
            r"MLX model loaded in (?P<elapsed_s>[\d.]+)s *",
            ("MLX model loaded in",),
            since="0.5.10",
            sets={"kind": "load_end"},
        ),
        Shape(
            r"Quantizing MLX model on-the-fly: bits=(?P<quantization_bits>\d+) group_size=(?P<group_size>\d+)(?P<rest>.*)",
            ("Quantizing MLX model",),
            since="0.5.12",
            sets={"kind": "quantize"},
        ),
        Shape(
            r"Quantization complete in (?P<elapsed_s>[\d.]+)s\s+\S+ weight bytes: (?P<weights_before_gib>[\d.]+) GB ->"
            r" (?P<weights_after_gib>[\d.]+) GB (?P<rest>.*)",
            ("Quantization complete in",),
            since="0.5.12",
            sets={"kind": "quantize"},
        ),
        Shape(
            r"MLX stub: initialized minimal pools \(max_total_num_tokens=(?P<max_total_num_tokens>\d+),"
            r" max_running_requests=(?P<max_running_requests>\d+), (?P<rest>.*)\) *",
            ("MLX stub: initialized",),
            since="0.5.10",
            sets={"kind": "stub"},
        ),
        Shape(r"MLX stub: (?P<rest>.*)", ("MLX stub:",), since="0.5.10", sets={"kind": "stub"}),
    ),
    columns=(
        Column("kind", "text", "sized, initialized, allocated, begin, limit, load_begin, load_end, quantize, stub."),
        Column("sys_available_gib", "float", "Free system memory after the weights.", "GiB"),
        Column("mlx_limit_gib", "float", "Most that MLX may use.", "GiB", decimals=1),
        Column("mlx_used_gib", "float", "Active MLX memory: the weights.", "GiB"),
        Column("kv_budget_gib", "float", "Memory given to the pool.", "GiB"),
        Column("bytes_per_slot", "int", "Bytes of a token in all layers.", "B"),
        Column("pool_size_tokens", "int", "Slots of the pool.", "tokens"),
        Column("buffer_size_tokens", "int", "Slots with the padding slot.", "tokens"),
        Column("layers", "int", "Layers with attention."),
        Column("kv_heads", "int", "KV heads."),
        Column("head_dim", "int", "Dimension of a head."),
        Column("dtype", "text", "Type of an element."),
        Column("pool_mib", "float", "Size of the pool.", "MiB", decimals=1),
        Column("wired_limit_gib", "float", "Limit of wired memory.", "GiB", decimals=1),
        Column("buffer_cache_limit_gib", "float", "Limit of MLX's buffer cache.", "GiB", decimals=1),
        Column("elapsed_s", "float", "Time the step took.", "s"),
        Column("model", "text", "Path or name of the model."),
        Column("quantization_bits", "int", "Bits of a weight.", "bits"),
        Column("group_size", "int", "Weights that share a scale."),
        Column("weights_before_gib", "float", "Weights before quantization.", "GiB"),
        Column("weights_after_gib", "float", "Weights after it.", "GiB"),
        Column("max_total_num_tokens", "int", "Capacity told to the scheduler.", "tokens"),
        Column("max_running_requests", "int", "Limit told to the scheduler.", "requests"),
        Column("rest", "text", "What else the line says."),
    ),
    process="scheduler",
    informs=True,
)
