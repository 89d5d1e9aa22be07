"""The pool has another dtype than the arguments ask for.

What it says
    The dtype of a pool is not the kv_cache_dtype of the dump.

Why it matters
    The size of a token follows the dtype: the dump and the pool belong to different starts, or the setting was
    overridden.

Example
    kv_cache_dtype='fp8_e4m3' beside dtype: torch.bfloat16.

Silent when
    The dtype is chosen by the server, no pool prints one, or they agree.

Source
    `ModelRunner.configure_kv_cache_dtype`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "mismatch"
_NAMES = {
    "fp8_e4m3": ("float8_e4m3",),
    "fp8_e5m2": ("float8_e5m2",),
    "bfloat16": ("bfloat16",),
    "bf16": ("bfloat16",),
    "fp4_e2m1": ("float4", "fp4"),
}


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    asked = str(launch.argument("kv_cache_dtype"))
    if asked not in _NAMES:
        raise NotApplicable(f"kv_cache_dtype={asked!r} leaves the dtype to the server")
    rows = [
        row
        for row in launch.rows("kv_pool")
        if row.get("dtype") is not None and row.get("kind") in ("allocated", "dtype") and not row.get("label")
    ]
    if not rows:
        raise FactMissing("no pool prints its dtype")
    other = [row for row in rows if not any(name in row["dtype"] for name in (*_NAMES[asked], "uint8"))]
    if len(other) < len(rows):
        return None
    return Finding(
        message=f"kv_cache_dtype is {asked}, and the pool was made of {other[0]['dtype']}.",
        evidence=(other[0].ref, launch.arguments_line),
        rank=other[0].rank,
    )
