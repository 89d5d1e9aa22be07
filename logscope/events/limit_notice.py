r"""Limits that the server lowered by itself, because a pool does not hold what was asked for.

Sample
    #@ 0.5.14..0.5.23
    [2026-09-12 02:46:08 TP0] max_running_requests was reduced from the requested 256 to 48 (per dp worker) due to the available KV cache capacity.
    #@ 0.5.16..0.5.16
    [2026-08-12 02:46:08 TP0] max_running_requests was reduced from the requested 256 to 48 (per dp worker) due to the available KV cache or auxiliary-state capacity.
    #@ 0.5.17..0.5.23
    [2026-09-12 02:46:08 TP0] max_running_requests was reduced from the requested 256 to 48 (per attention-DP worker) due to the available KV cache or auxiliary-state capacity.
    [2026-09-12 02:46:08 TP0] max_running_requests is capped to 48 by the mamba state cache (max_mamba_cache_size=144, 3 state slots per request). To raise it: increase --mamba-full-memory-ratio or --max-mamba-cache-size, or halve the state size with --mamba-ssm-dtype bfloat16.
    #@ 0.5.4..0.5.4
    [2025-10-29 12:14:40] Max running requests is reset to 48 for speculative decoding.
    #@ 0.5.4.post1..0.5.23
    [2026-11-29 12:14:40] Max running requests is reset to 48 for speculative decoding. You can override this by explicitly setting --max-running-requests.

Meaning
    The number that is in force afterwards is in the table capacity. A limit below what the traffic needs shows as a
    queue beside a pool that is far from full.

Source
    `mem_cache/kv_cache_configurator.py`, `hardware_backend/mlx/model_runner_stub.py`, `ServerArgs`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_REDUCED = (
    r"max_running_requests was reduced from the requested (?P<requested_requests>\d+) to (?P<max_running_requests>\d+)"
    r" \(per (?P<scope>[\w-]+ worker)\) due to the available "
)

FAMILY = Family(
    shapes=(
        Shape(
            _REDUCED + r"(?P<reason>KV cache) capacity\. *",
            ("max_running_requests was reduced",),
            since="0.5.14",
            sets={"kind": "reduced"},
        ),
        Shape(
            _REDUCED + r"(?P<reason>.*)",
            ("max_running_requests was reduced",),
            since="0.5.16",
            sets={"kind": "reduced"},
        ),
        Shape(
            r"max_running_requests is capped to (?P<max_running_requests>\d+) by the (?P<reason>.*?)"
            r" \(max_mamba_cache_size=(?P<max_mamba_cache_size>\d+)(?:\D+(?P<slots_per_request>\d+))? state slots per request.*",
            ("max_running_requests is capped",),
            since="0.5.17",
            sets={"kind": "capped"},
        ),
        Shape(
            r"Max running requests is reset to (?P<max_running_requests>\d+) for (?P<reason>speculative decoding)\. *",
            ("Max running requests is reset",),
            since="0.5.4",
            until="0.5.4",
            sets={"kind": "reset"},
        ),
        Shape(
            r"Max running requests is reset to (?P<max_running_requests>\d+) for (?P<reason>speculative decoding)\. You can.*",
            ("Max running requests is reset",),
            since="0.5.4.post1",
            sets={"kind": "reset"},
        ),
    ),
    columns=(
        Column("kind", "text", "reduced, capped, reset."),
        Column("max_running_requests", "int", "The limit that is used.", "requests"),
        Column("requested_requests", "int", "The limit that was asked for.", "requests"),
        Column("scope", "text", "Per what the limits count."),
        Column("max_mamba_cache_size", "int", "State slots of the pool.", "slots"),
        Column("slots_per_request", "int", "State slots that a request needs.", "slots"),
        Column("reason", "text", "What is short."),
    ),
)
