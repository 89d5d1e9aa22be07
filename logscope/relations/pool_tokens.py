"""The tokens of the pool: the budget divided by the bytes of a token, capped, and rounded down to whole pages.

N = ⌊ min(⌊R · 2^30 / c⌋, cap) / p ⌋ · p, with R the budget in GiB, c the bytes of a token and rank, p the page size
in tokens and the cap of `--max-total-tokens`; the cap can only lower. The buffers hold one page more than that, so
K · 2^30 = (N + p) · c. Where attention is sparse and the cache fp8, the pool of 0.5.4–0.5.16 stores more bytes a
token than the budget counts (656 for 576 a layer); both are told apart by name.

Releases: floor and cap in all, pages from 0.4.4 on. Exempt: MLX; sliding-window models (the sum of their pools
keeps the budget, the printed tokens are those of the full layers only); speculation of 0.4.4–0.5.6, which adds
tokens; ranks that are not the smallest.
Source: `ModelRunner.profile_max_num_token`, `init_memory_pool`; `MHATokenToKVPool`, `MLATokenToKVPool` (buffer
sizes).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Expression, floor, minimum
from logscope.relation import Relation, Sense
from logscope.relations import Setting
from logscope.relations._variables import (
    BYTES_PER_GIB,
    CELL_SIZE,
    KV_POOL,
    MAX_TOTAL_TOKENS,
    PAGE_SIZE,
    PROFILED_TOKENS,
    REST_MEMORY,
    STORED_CELL_SIZE,
    TOKENS,
)
from logscope.relations.static_budget import draft_inside, extra_tokens, stored_larger

BUFFER_ROUNDING_GIB = 0.001


def relations(setting: Setting) -> list[Relation]:
    """Tokens from the budget and bytes from the tokens. Raises NotApplicable."""
    if setting.mlx:
        raise NotApplicable("the MLX backend has its own budget")
    if "swa" in setting.pools:
        raise NotApplicable("the printed tokens are those of the full-attention layers only")
    found = [_bytes(setting)]
    if setting.capped:
        found.append(Relation("pool_within_cap", TOKENS, MAX_TOTAL_TOKENS, "≤", source="init_memory_pool"))
    if not setting.post_capture:
        found += _tokens(setting)
    return found


def _bytes(setting: Setting) -> Relation:
    cell = STORED_CELL_SIZE if stored_larger(setting) else CELL_SIZE
    size = (TOKENS + PAGE_SIZE) * cell / BYTES_PER_GIB
    return Relation("pool_bytes", KV_POOL, size, sensor=BUFFER_ROUNDING_GIB, source="MHATokenToKVPool")


def _tokens(setting: Setting) -> list[Relation]:
    if "state" in setting.pools or draft_inside(setting) or extra_tokens(setting):
        return []
    profiled = floor(REST_MEMORY * BYTES_PER_GIB / CELL_SIZE)
    limited: Expression = minimum(PROFILED_TOKENS, MAX_TOTAL_TOKENS) if setting.capped else PROFILED_TOKENS
    tokens = floor(limited / PAGE_SIZE) * PAGE_SIZE
    # The least of all stages counts where the layers are divided among them.
    sense: Sense = "=" if setting.smallest and not setting.pipeline else "≤"
    source = "ModelRunner.profile_max_num_token"
    return [
        Relation("profiled_tokens", PROFILED_TOKENS, profiled, source=source),
        Relation("whole_pages", TOKENS, tokens, sense, source="init_memory_pool"),
    ]
