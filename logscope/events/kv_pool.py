r"""KV cache pools: sizes and tokens of every pool that a rank allocates.

Sample
    #@ 0.4.1.post6..0.4.3.post2
    [2025-02-01 09:07:10 TP0] KV Cache is allocated. K size: 25.81 GB, V size: 25.81 GB.
    #@ 0.4.3.post3..0.5.12.post1
    [2025-07-28 11:04:15 TP0] KV Cache is allocated. #tokens: 42632, K size: 0.03 GB, V size: 0.03 GB
    #@ 0.4.5.post3..0.5.12.post1
    [2025-10-28 11:04:15 TP0] KV Cache is allocated. #tokens: 571648, KV size: 37.41 GB
    #@ 0.5.13..0.5.23
    [2026-07-28 11:04:15 TP0] KV Cache is allocated. dtype: torch.float8_e4m3fn, #tokens: 571648, K size: 18.70 GB, V size: 18.70 GB
    #@ 0.5.17..0.5.23
    [2026-09-28 11:04:15 TP0] SWA KV Cache is allocated. dtype: torch.bfloat16, #tokens: 571648, K size: 18.70 GB, V size: 18.70 GB
    [2026-10-28 11:05:15 TP0] Post-capture KV sizing: KV cache allocated. dtype: torch.bfloat16, #tokens: 571648, KV size: 37.40 GB, avail mem=9.12 GB
    #@ 0.5.18..0.5.23
    [2026-10-28 11:04:15 TP0] KV Cache VA upper bound. dtype: torch.bfloat16, #tokens: 871648, K size: 28.70 GB, V size: 28.70 GB
    #@ 0.5.16..0.5.16
    [2026-08-28 11:05:15 TP0] Post-capture KV sizing: max_total_num_tokens=571648, free memory=46.52 GB
    #@ 0.5.16..0.5.23
    [2026-10-28 11:05:15 TP0] Post-capture KV sizing: no memory left to grow the pool
    #@ 0.4.9.post3..0.5.6.post2
    [2025-08-28 11:04:15 TP0] Use Sliding window memory pool. full_layer_tokens=1048576, swa_layer_tokens=838860
    #@ 0.5.7..0.5.23
    [2026-05-28 11:04:15 TP0] Use sliding window memory pool. full_layer_tokens=1048576, swa_layer_tokens=838860
    #@ 0.5.9..0.5.23
    [2026-05-28 11:04:15 TP0] Use sliding window memory pool (all SWA). swa_layer_tokens=838860
    #@ 0.2.14..0.5.23
    [2026-09-12 02:46:08 TP0] max_total_tokens=999999 is larger than the profiled value 192406. Use the profiled value instead.
    #@ 0.5.3..0.5.12.post1
    [2025-10-28 11:04:15 TP0] Using KV cache dtype: torch.bfloat16
    #@ 0.5.23..0.5.23
    [2026-11-29 12:14:40] KV pool holds 2000 tokens, fewer than --context-length 2048. One full-length request cannot fit, so long requests will be refused or truncated at serving time.
    #@ 0.5.15..0.5.23
    [2026-09-28 11:04:15 TP0] [unified-memory-pool] UnifiedKVPool allocated: total_bytes=37.40 GB (=40157944422 B), 2 sub-pool(s)

Meaning
    Sizes are GiB of the whole pool of the rank, all its layers. Several rows a rank are normal: target and draft
    model, full and sliding-window sub-pools. `upper_bound` is reserved address space, no memory. Before 0.4.1.post6
    nothing but `Memory pool end` tells the size.

Source
    `MHATokenToKVPool.__init__`, `MLATokenToKVPool.__init__` (`mem_cache/memory_pool.py`), from 0.5.2
    `KVCache._finalize_allocation_log`; `kv_pool_runtime.py` for the sizing after capture.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_SIZES = r"(?:K size: (?P<k_gib>-?[\d.]+) GB, V size: (?P<v_gib>-?[\d.]+) GB|KV size: (?P<kv_gib>-?[\d.]+) GB)"
_K_V = r"K size: (?P<k_gib>-?[\d.]+) GB, V size: (?P<v_gib>-?[\d.]+) GB"
_TYPED = r"dtype: (?P<dtype>[\w.]+), #tokens: (?P<tokens>\d+), "
_REST = r"(?:, (?P<rest>.*))? *"

FAMILY = Family(
    shapes=(
        Shape(
            rf"KV Cache is allocated\. {_K_V}\. *",
            ("KV Cache is allocated.",),
            since="0.4.1.post6",
            until="0.4.3.post2",
            sets={"kind": "allocated"},
        ),
        Shape(
            rf"KV Cache is allocated\. #tokens: (?P<tokens>\d+), {_K_V}{_REST}",
            ("KV Cache is allocated.",),
            since="0.4.3.post3",
            until="0.5.12.post1",
            sets={"kind": "allocated"},
        ),
        Shape(
            r"KV Cache is allocated\. #tokens: (?P<tokens>\d+), KV size: (?P<kv_gib>-?[\d.]+) GB" + _REST,
            ("KV Cache is allocated.",),
            since="0.4.5.post3",
            until="0.5.12.post1",
            sets={"kind": "allocated"},
        ),
        Shape(
            rf"KV Cache is allocated\. {_TYPED}{_SIZES}{_REST}",
            ("KV Cache is allocated.",),
            since="0.5.13",
            sets={"kind": "allocated"},
        ),
        Shape(
            rf"(?P<label>.+) KV Cache is allocated\. {_TYPED}{_SIZES}{_REST}",
            contains=" KV Cache is allocated.",
            since="0.5.17",
            sets={"kind": "allocated"},
        ),
        Shape(
            rf"(?:(?P<label>.+) )?KV Cache VA upper bound\. {_TYPED}{_SIZES}{_REST}",
            contains="KV Cache VA upper bound.",
            since="0.5.18",
            sets={"kind": "upper_bound"},
        ),
        Shape(
            r"Post-capture KV sizing: max_total_num_tokens=(?P<tokens>\d+), free memory=(?P<avail_mem_gib>[-\d.]+) GB *",
            ("Post-capture KV sizing: max",),
            since="0.5.16",
            until="0.5.16",
            sets={"kind": "post_capture"},
        ),
        Shape(
            rf"Post-capture KV sizing: (?:(?P<label>draft) )?KV cache allocated\. {_TYPED}"
            r"(?:full_layer_tokens=(?P<full_tokens>\d+), swa_layer_tokens=(?P<swa_tokens>\d+), )?"
            rf"{_SIZES}, (?:full_layer_tokens=(?P<full_tokens_after>\d+), swa_layer_tokens=(?P<swa_tokens_after>\d+), )?"
            r"avail mem=(?P<avail_mem_gib>[-\d.]+) GB" + _REST,
            ("Post-capture KV sizing:",),
            contains="KV cache allocated.",
            since="0.5.17",
            sets={"kind": "post_capture"},
        ),
        Shape(
            r"Post-capture KV sizing: (?P<rest>.*)",
            ("Post-capture KV sizing:",),
            since="0.5.16",
            sets={"kind": "post_capture_note"},
        ),
        Shape(
            r"Use Sliding window memory pool\. full_layer_tokens=(?P<full_tokens>\d+),"
            r" swa_layer_tokens=(?P<swa_tokens>\d+) *",
            ("Use Sliding window memory pool",),
            since="0.4.9.post3",
            until="0.5.6.post2",
            sets={"kind": "split"},
        ),
        Shape(
            r"Use sliding window memory pool\. full_layer_tokens=(?P<full_tokens>\d+),"
            r" swa_layer_tokens=(?P<swa_tokens>\d+)" + _REST,
            ("Use sliding window memory pool.",),
            since="0.5.7",
            sets={"kind": "split"},
        ),
        Shape(
            r"Use sliding window memory pool \(all SWA\)\. swa_layer_tokens=(?P<swa_tokens>\d+)" + _REST,
            ("Use sliding window memory pool (all SWA)",),
            since="0.5.9",
            sets={"kind": "split"},
        ),
        Shape(
            r"max_total_tokens=(?P<requested_tokens>\d+) is larger than the profiled value (?P<tokens>-?\d+)\."
            r" Use the profiled value instead\. *",
            ("max_total_tokens=",),
            since="0.2.8",
            sets={"kind": "profiled"},
        ),
        Shape(
            r"Using KV cache dtype: (?P<dtype>[\w.]+) *",
            ("Using KV cache dtype:",),
            since="0.5.3",
            until="0.5.12.post1",
            sets={"kind": "dtype"},
        ),
        Shape(
            r"KV pool holds (?P<tokens>\d+) tokens, fewer than --context-length (?P<context_len>\d+)\. (?P<rest>.*)",
            ("KV pool holds ",),
            since="0.5.23",
            sets={"kind": "below_context"},
        ),
        Shape(
            r"\[unified-memory-pool\] UnifiedKVPool (?P<rest>allocated|reserved VA upper bound): total_bytes="
            r"(?P<kv_gib>[\d.]+) GB \(=(?P<kv_bytes>\d+) B\), (?P<sub_pools>\d+) sub-pool\(s\).*",
            ("[unified-memory-pool] UnifiedKVPool",),
            since="0.5.15",
            sets={"kind": "unified"},
        ),
    ),
    columns=(
        Column(
            "kind",
            "text",
            "allocated, upper_bound (address space only), post_capture, post_capture_note, split (sliding window),"
            " profiled (the request was larger), dtype, below_context, unified.",
        ),
        Column("label", "text", "Name of the sub-pool.", since="0.5.17"),
        Column("tokens", "int", "Slots of the pool; `profiled`: slots that fit.", "tokens"),
        Column("k_gib", "float", "Keys.", "GiB"),
        Column("v_gib", "float", "Values.", "GiB"),
        Column("kv_gib", "float", "Keys and values in one buffer (MLA), or their sum.", "GiB"),
        Column("kv_bytes", "int", "The same in bytes (unified pool).", "B", since="0.5.15"),
        Column("dtype", "text", "Type of an element.", since="0.5.3"),
        Column("avail_mem_gib", "float", "Free memory after the sizing.", "GiB", since="0.5.16"),
        Column("full_tokens", "int", "Slots of the full-attention layers.", "tokens", since="0.4.9.post3"),
        Column("swa_tokens", "int", "Slots of the sliding-window layers.", "tokens", since="0.4.9.post3"),
        Column("full_tokens_after", "int", "The same, where it stands behind the sizes.", "tokens", since="0.5.17"),
        Column("swa_tokens_after", "int", "The same, where it stands behind the sizes.", "tokens", since="0.5.17"),
        Column("requested_tokens", "int", "`--max-total-tokens` as asked for.", "tokens"),
        Column("context_len", "int", "Longest sequence asked for.", "tokens", since="0.5.23"),
        Column("sub_pools", "int", "Sub-pools of the unified pool.", since="0.5.15"),
        Column("rest", "text", "What else the line says."),
    ),
    process="scheduler",
    informs=True,
)
