"""The budget of the MLX backend: a share of the memory that is free now, after the weights.

budget = min( max(⌊f · L⌋ − U, 0), ⌊f · V⌋ ), with L the recommended working set of the Metal device, U what MLX
holds already (the weights), V what the machine has available at that moment; all in bytes, printed as GB that are
GiB. N = max(⌊budget / b⌋, 256) tokens, b the bytes of a token; `--max-total-tokens` replaces N. Nothing refuses:
256 tokens is the floor. The pool is made at the first forward with N + 1 slots, printed in MB that are MiB. Outside
pool and budget every running request owns private buffers of at least 4096 tokens, so running · 4096 · b bytes must
fit into V − budget.

Releases: 0.5.11–0.5.23, only with `SGLANG_USE_MLX=1`.
Source: `MlxModelRunner._compute_pool_size`, `MlxAttentionKVPool`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Const, floor, maximum, minimum
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import (
    BYTES_PER_GIB,
    BYTES_PER_MIB,
    CELL_SIZE,
    FRACTION,
    KV_BUDGET,
    MLX_LIMIT,
    MLX_USED,
    OUTSIDE_POOL,
    POOL_MIB,
    PRIVATE_BUFFERS,
    RUNNING,
    SYSTEM_AVAILABLE,
    TOKENS,
)

FLOOR_TOKENS = 256
PRIVATE_TOKENS = 4096
BYTE_GIB = 2.0**-29
"""Two floors to whole bytes."""
POOL_CAPACITY = Const(PRIVATE_TOKENS, "tokens/request")


def relations(setting: Setting) -> list[Relation]:
    """Budget, tokens, pool and private buffers. Raises NotApplicable."""
    if not setting.mlx:
        raise NotApplicable("not the MLX backend")
    budget = minimum(maximum(FRACTION * MLX_LIMIT - MLX_USED, 0), FRACTION * SYSTEM_AVAILABLE)
    slots = Const(1, "tokens")
    source = "MlxModelRunner._compute_pool_size"
    found = [
        Relation("mlx_budget", KV_BUDGET, budget, tolerance=BYTE_GIB, source=source),
        Relation("mlx_pool", POOL_MIB, (TOKENS + slots) * CELL_SIZE / BYTES_PER_MIB, source="MlxAttentionKVPool"),
        Relation("mlx_outside", OUTSIDE_POOL, SYSTEM_AVAILABLE - KV_BUDGET, source=source),
        Relation(
            "mlx_private_buffers",
            PRIVATE_BUFFERS,
            RUNNING * POOL_CAPACITY * CELL_SIZE / BYTES_PER_GIB,
            "≥",
            source="ContiguousKVCache",
        ),
    ]
    if not setting.capped:
        tokens = maximum(floor(KV_BUDGET * BYTES_PER_GIB / CELL_SIZE), FLOOR_TOKENS)
        found.insert(1, Relation("mlx_tokens", TOKENS, tokens, source=source))
    return found
