"""The tokens of the pool: the budget divided by the bytes of a token, capped, and rounded down to whole pages.

N = ⌊ min(⌊R · 2^30 / c⌋, cap) / p ⌋ · p, with R the budget in GiB, c the bytes of a token and rank, p the page size
in tokens and the cap of `--max-total-tokens`; the cap can only lower. The buffers hold one page more than that, so
K · 2^30 = (N + p) · c. What takes its share of the budget (states, a draft, the layers of a larger stage) counts as a
share b of the pool's size: then the tokens are those of R / (1 + b). Of a sliding-window model K is the sum of its
pools, N the tokens of the full layers, and c what one of those takes in all pools. Where attention is sparse and the
cache fp8, the pool of 0.5.4–0.5.16 stores more bytes a token than the budget counts (656 for 576 a layer); both are
told apart by name.

Releases: floor and cap in all, pages from 0.4.4 on. Exempt: MLX; ranks that are not the smallest. Speculation of
0.4.4–0.5.6 adds tokens that no line tells.
Source: `ModelRunner.profile_max_num_token`, `init_memory_pool`; `MHATokenToKVPool`, `MLATokenToKVPool` (buffer
sizes).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Expression, floor, minimum
from logscope.relation import Relation, Sense
from logscope.relations import Setting
from logscope.relations._variables import (
    BESIDE_SHARE,
    BYTES_PER_GIB,
    CELL_SIZE,
    KV_POOL,
    MAX_TOTAL_TOKENS,
    PAGE_SIZE,
    PROFILED_TOKENS,
    REST_MEMORY,
    SPECULATIVE_TOKENS,
    STATE_POOL,
    STORED_CELL_SIZE,
    TOKENS,
)
from logscope.relations.static_budget import extra_tokens, shared, stored_larger

BUFFER_ROUNDING_GIB = 0.001


def relations(setting: Setting) -> list[Relation]:
    """Tokens from the budget and bytes from the tokens. Raises NotApplicable."""
    if setting.mlx:
        raise NotApplicable("the MLX backend has its own budget")
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
    fixed = "state" in setting.pools and setting.release.ask(lambda release: setting.of(release).state_fixed)
    budget: Expression = REST_MEMORY - STATE_POOL if fixed else REST_MEMORY
    cell: Expression = CELL_SIZE * (1 + BESIDE_SHARE) if shared(setting) else CELL_SIZE
    profiled = floor(budget * BYTES_PER_GIB / cell)
    asked: Expression = PROFILED_TOKENS + SPECULATIVE_TOKENS if extra_tokens(setting) else PROFILED_TOKENS
    limited: Expression = minimum(asked, MAX_TOTAL_TOKENS) if setting.capped else asked
    tokens = floor(limited / PAGE_SIZE) * PAGE_SIZE
    sense: Sense = "=" if setting.smallest else "≤"
    source = "ModelRunner.profile_max_num_token"
    return [
        Relation("profiled_tokens", PROFILED_TOKENS, profiled, source=source),
        Relation("whole_pages", TOKENS, tokens, sense, source="init_memory_pool"),
    ]
