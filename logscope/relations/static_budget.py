"""The static budget: what the fraction leaves for the KV cache.

rest_memory = A − T · (1 − f), with T the memory that is free before the weights, A after them, both the least of
all ranks, and f the fraction; GiB. From 0.5.18 on a multimodal model subtracts its reserve as well (100 MiB, and 1
GiB more for the CUDA-IPC transport). The budget is homogeneous: T, A and the pool in another unit give the same
fraction. With uncapped, unshared pools the KV buffers take all of it but what rounding to a page leaves. Speculation of
0.4.4–0.5.6 adds a tree of draft tokens for every request, at most 4096 of them, and 100.

Releases: 0.1.20 and later. Exempt: MLX (its own rule), post-capture sizing (the pool is sized after the graphs),
and the variable `SGLANG_CI_SMALL_KV_SIZE` of 0.4.4–0.5.6, which sets the pool whatever the budget is.
Source: `ModelRunner.profile_max_num_token` (0.1.15–0.5.9), `_profile_available_bytes` (0.5.10 and later).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Const, Expression
from logscope.relation import Relation, Sense
from logscope.relations import Setting
from logscope.relations._variables import (
    AVAIL_AFTER_LOAD,
    AVAIL_BEFORE_LOAD,
    BYTES_PER_GIB,
    CELL_SIZE,
    FRACTION,
    KV_POOL,
    MULTIMODAL_RESERVE,
    REST_MEMORY,
    SPECULATIVE_TOKENS,
    STATE_POOL,
)
from logscope.sglang.sizing import sizing

POOL_SENSOR_GIB = 0.02
STATE_SENSOR_GIB = 0.3
"""The same with states: they are allocated with a slot more than the budget counts, of tens of MiB."""
CACHE = Const(100 / 1024, "GiB")
TRANSPORT = Const(1, "GiB")
"""The defaults of `SGLANG_VLM_CACHE_SIZE_MB` and `SGLANG_MM_FEATURE_CACHE_MB`."""


def relations(setting: Setting) -> list[Relation]:
    """The budget, and where nothing else moves it, the pool that fills it. Raises NotApplicable."""
    if setting.mlx:
        raise NotApplicable("the MLX backend has its own budget")
    if setting.post_capture:
        raise NotApplicable("the pool was sized after the capture of the graphs")
    if setting.multimodal and setting.release.ask(_hidden):
        raise NotApplicable("the fraction of a multimodal model is lowered after it was printed")
    return [*_budget(setting), *_pool(setting)]


def _budget(setting: Setting) -> list[Relation]:
    source = "ModelRunner.profile_max_num_token"
    rest: Expression = AVAIL_AFTER_LOAD - AVAIL_BEFORE_LOAD * (1 - FRACTION)
    reserve: list[Relation] = []
    if setting.multimodal and setting.release.ask(lambda release: sizing(release).multimodal_reserve):
        rest = rest - MULTIMODAL_RESERVE
        reserve = [
            Relation("multimodal_cache", MULTIMODAL_RESERVE, CACHE, "≥", source=source),
            Relation("multimodal_transport", MULTIMODAL_RESERVE, CACHE + TRANSPORT, "≤", source=source),
        ]
    return [Relation("static_budget", REST_MEMORY, rest, sensor=setting.sensor_gib, source=source), *reserve]


def _pool(setting: Setting) -> list[Relation]:
    """The KV pool within the budget: equal to it, or below it where a cap or another rank decides."""
    total: Expression = KV_POOL
    if "state" in setting.pools:
        total = total + STATE_POOL
    limit: Expression = REST_MEMORY
    if extra_tokens(setting):
        limit = limit + SPECULATIVE_TOKENS * CELL_SIZE / BYTES_PER_GIB
    if stored_larger(setting):
        return []
    source = "ModelRunner.init_memory_pool"
    sense: Sense = "=" if _whole_budget(setting) else "≤"
    name = "pool_within_budget" if sense == "≤" else "pool_fills_budget"
    room = [
        Relation(f"speculative_{name}", SPECULATIVE_TOKENS, end, way, source=source)
        for name, way, end in _room(setting)
    ]
    page, sensor = setting.page_gib, STATE_SENSOR_GIB if "state" in setting.pools else POOL_SENSOR_GIB
    return [Relation(name, total, limit, sense, tolerance=page, sensor=sensor, source=source), *room]


def _room(setting: Setting) -> list[tuple[str, Sense, Const]]:
    """What bounds the tokens that speculation adds: none are taken away, and a tree a request is the most."""
    if not extra_tokens(setting):
        return []
    least: tuple[str, Sense, Const] = ("least", "≥", Const(0, "tokens"))
    if not setting.speculative_room:
        return [least]
    return [least, ("most", "≤", Const(setting.speculative_room, "tokens"))]


def _hidden(release: str) -> bool:
    return sizing(release).runner_multimodal_factor != 1.0


def _whole_budget(setting: Setting) -> bool:
    """Whether the pool is all of the budget: one buffer, no cap, no other stage, and this rank is the smallest."""
    return setting.single_pool and setting.smallest and not (setting.capped or shared(setting))


def shared(setting: Setting) -> bool:
    """Whether something else takes a share of the budget: states, window layers, a draft, or a smaller stage."""
    return setting.pipeline or bool(setting.pools - {"draft"}) or draft_inside(setting)


def draft_inside(setting: Setting) -> bool:
    """Whether the draft's KV pool comes out of the same budget: from 0.5.14 on, when its weights are loaded first."""
    if "draft" not in setting.pools:
        return False
    return setting.draft_first or setting.release.ask(lambda release: sizing(release).draft_in_budget)


def extra_tokens(setting: Setting) -> bool:
    """Whether speculation adds tokens to the pool that the budget does not hold: 0.4.4–0.5.6."""
    if not setting.speculative:
        return False
    return setting.release.ask(lambda release: sizing(release).speculation_room == "pool")


def stored_larger(setting: Setting) -> bool:
    """Whether the pool stores more bytes a token than the budget counts: fp8 of sparse attention, 0.5.4–0.5.16."""
    if setting.attention != "dsa" or setting.kv_bytes not in (0, 1):
        return False
    return setting.release.ask(lambda release: sizing(release).dsa_indexer and not sizing(release).dsa_fp8_packed)
