"""A token does not take the bytes that this model has.

What it says
    pool ÷ (tokens + page) fits no dtype of the model that model_path names, on this number of ranks, in any release
    of the range.

Why it matters
    Another dtype, another parallel size or another model is in force than the arguments say. A fine-tune under the
    same name may differ as well.

Example
    Llama-3.1-8B takes 131,072 bytes in bfloat16 on one rank; 40,960 belong to another model.

Silent when
    The model is not in the table, it has several pools or stages, a draft shares the pool, or one dtype fits within
    1 %.

Source
    `ModelRunner.get_cell_size` and its successors (`pool_configurator.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.errors import NotApplicable, NotChecked
from logscope.facts import limits, memory, pools, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged
from logscope.sglang import cells, models
from logscope.sglang.shape import Shape

SEVERITY = "note"
KIND = "mismatch"
_MOST = 12


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "kv_pool", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    limits.whole(rank)
    cell = pools.bytes_per_token(rank)
    shape = models.named(str(launch.argument("model_path")))
    if shape.state_layers or shape.window_layers or settings.size(launch, "pp_size") > 1 or len(memory.loads(rank)) > 1:
        raise NotApplicable("the model has several pools or stages")
    if settings.set_to(launch, "speculative_algorithm"):
        raise NotApplicable("a draft shares the budget")
    ranks = settings.size(launch, "tp_size")
    if settings.set_to(launch, "enable_dp_attention"):
        ranks = max(1, ranks // settings.size(launch, "dp_size"))
    sizes = {
        size: dtype for release in launch.release.releases[-_MOST:] for dtype, size in _sizes(release, shape, ranks)
    }
    if not sizes:
        raise NotApplicable("no formula of this release fits the model")
    if any(cell.interval.lo <= 1.01 * size and cell.interval.hi >= 0.99 * size for size in sizes):
        return None
    nearest = min(sizes, key=lambda size: abs(size - cell.value))
    return compared(
        f"A token takes {cell.value:,.0f} bytes; {shape.name} on {ranks} rank{'s' * (ranks > 1)} takes {nearest:,.0f} in {sizes[nearest]}.",
        cell,
        nearest,
        f"bytes a token of {shape.name}",
        *[row.ref for row in rank.rows("kv_pool")[:1]],
    )


def _sizes(release: str, shape: Shape, ranks: int) -> Iterator[tuple[str, float]]:
    for dtype in ("bfloat16", "fp8_e4m3", "fp4_e2m1", "float32"):
        for raw in (False, True):
            cache = cells.Cache(dtype=dtype, attention_tp=ranks, raw_latent=raw)
            try:
                yield dtype, cells.stored_bytes(release, shape, cache)
            except NotChecked:
                continue
