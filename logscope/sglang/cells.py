"""Bytes of KV cache a token takes on one rank, by kind of attention, dtype and release.

Source: `model_runner.py` (`profile_max_num_token`), from 0.5.7 on `model_runner_kv_cache_mixin.py`, from 0.5.11 on
`pool_configurator.py` (`_compute_cell_size`).
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import NotApplicable, UsageError
from logscope.sglang.shape import Shape
from logscope.sglang.sizing import Sizing, sizing

ELEMENT_BYTES = {
    "float32": 4,
    "bfloat16": 2,
    "float16": 2,
    "fp8_e4m3": 1,
    "fp8_e5m2": 1,
    "mxfp8": 1,
    "fp4_e2m1": 1,  # two values a byte; the formula halves it
}
_DSA_QUANT_BLOCK = 128
_DSA_FP8_ROPE_BYTES = 2
_SCALE_BLOCK = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """What the size of a token depends on besides the model: `attention_tp` is tp / dp under DP attention.

    `stage_layers` is the share of the layers that this pipeline stage holds (all when zero), `window_ratio` the
    argument swa_full_tokens_ratio, `draft_layers` the layers of an EAGLE or standalone draft. `raw_latent` is for the
    kernels of sparse attention that read fp8 latents without scales (trtllm).
    """

    dtype: str = "bfloat16"
    attention_tp: int = 1
    stage_layers: int = 0
    window_ratio: float = 0.8
    draft_layers: int = 0
    raw_latent: bool = False
    mla_asked: bool = False
    mla_disabled: bool = False


def element_bytes(dtype: str) -> int:
    """Bytes of one stored element; raises UsageError for a dtype that no release knows."""
    try:
        return ELEMENT_BYTES[dtype]
    except KeyError:
        raise UsageError(f"{dtype!r} is no KV cache dtype; known are {', '.join(ELEMENT_BYTES)}") from None


def uses_latent(rules: Sizing, shape: Shape, cache: Cache) -> bool:
    """Whether a release stores the latent of an MLA model instead of keys and values."""
    if not shape.mla or rules.mla == "never":
        return False
    return cache.mla_asked if rules.mla == "asked" else not cache.mla_disabled


def cell_bytes(release: str, shape: Shape, cache: Cache) -> float:
    """Bytes a token that the release budgets with: the divisor of the rest memory.

    A float only for models with sliding windows from 0.5.11 on. Raises NotApplicable for pools with an own formula.
    """
    rules = sizing(release)
    if uses_latent(rules, shape, cache):
        size: float = _latent(rules, shape, cache)
    elif shape.window_layers and rules.window in ("bytes", "cell"):
        size = _windows(rules, shape, cache)
    else:
        size = _heads(rules, shape, cache)
    if cache.draft_layers and rules.draft_scale:
        size = int(size * (1 + cache.draft_layers / _kv_layers(rules, shape, cache)))
    return size


def stored_bytes(release: str, shape: Shape, cache: Cache) -> float:
    """Bytes a token that the pool really takes: larger than budgeted for fp8 sparse attention up to 0.5.16."""
    rules = sizing(release)
    size = cell_bytes(release, shape, cache)
    if not (uses_latent(rules, shape, cache) and _packs(shape, cache)):
        return size
    layers = _kv_layers(rules, shape, cache)
    return size if rules.dsa_fp8_packed else size + (_packed_latent(shape) - _latent_width(shape)) * layers


def _kv_layers(rules: Sizing, shape: Shape, cache: Cache) -> int:
    if cache.stage_layers and rules.stage_layers:
        return cache.stage_layers
    return shape.layers - shape.state_layers if rules.mamba != "none" else shape.layers


def _element(rules: Sizing, cache: Cache) -> int:
    return 2 if rules.element == "2 bytes" else element_bytes(cache.dtype)


def _rank_heads(heads: int, cache: Cache) -> int:
    return max(1, heads // cache.attention_tp)


def _latent_width(shape: Shape) -> int:
    return shape.kv_lora_rank + shape.rope_head_dim


def _packs(shape: Shape, cache: Cache) -> bool:
    return shape.index_head_dim > 0 and cache.dtype == "fp8_e4m3" and not cache.raw_latent


def _packed_latent(shape: Shape) -> int:
    """Bytes of an fp8 latent as sparse attention stores it: the scales beside it, the rotary part in two bytes."""
    scales = shape.kv_lora_rank // _DSA_QUANT_BLOCK * 4
    return shape.kv_lora_rank + scales + shape.rope_head_dim * _DSA_FP8_ROPE_BYTES


def _latent(rules: Sizing, shape: Shape, cache: Cache) -> int:
    layers = _kv_layers(rules, shape, cache)
    element = 2 if rules.latent_keeps_model_dtype else _element(rules, cache)
    width = _latent_width(shape)
    size = width * layers * element
    if rules.dsa_fp8_packed and _packs(shape, cache):
        size = _packed_latent(shape) * layers
    if cache.dtype == "fp4_e2m1":
        if not rules.fp4_mla:
            raise NotApplicable("this release stores no 4-bit latent")
        size = size // 2 + width // _SCALE_BLOCK * layers * element
    if shape.index_head_dim and rules.dsa_indexer:
        size += (shape.index_head_dim + shape.index_head_dim // _DSA_QUANT_BLOCK * 4) * layers
    return size


def _heads(rules: Sizing, shape: Shape, cache: Cache) -> int:
    heads, element = _rank_heads(shape.kv_heads, cache), _element(rules, cache)
    layers = _kv_layers(rules, shape, cache)
    value = (shape.v_head_dim or shape.head_dim) if rules.value_head else shape.head_dim
    size = heads * (shape.head_dim + value) * layers * element
    if cache.dtype == "fp4_e2m1":
        if not rules.fp4_mha:
            raise NotApplicable("this release stores no 4-bit keys and values")
        size = size // 2 + heads * shape.head_dim * layers * 2 * element // _SCALE_BLOCK
        size += heads * shape.head_dim * 2 * element if rules.mxfp8 else 0  # one layer's dequantised buffer
    if cache.dtype == "mxfp8" and rules.mxfp8:
        size += heads * (shape.head_dim + value) * layers // 32
    return size


def window_layer_bytes(shape: Shape, cache: Cache) -> tuple[int, int]:
    """Bytes a token in one full and in one window layer."""
    element = element_bytes(cache.dtype)
    full = _rank_heads(shape.kv_heads, cache) * (shape.head_dim + (shape.v_head_dim or shape.head_dim)) * element
    heads = _rank_heads(shape.window_kv_heads or shape.kv_heads, cache)
    head_dim = shape.window_head_dim or shape.head_dim
    value = shape.window_v_head_dim or shape.window_head_dim or shape.v_head_dim or shape.head_dim
    return full, heads * (head_dim + value) * element


def _windows(rules: Sizing, shape: Shape, cache: Cache) -> float:
    full, window = window_layer_bytes(shape, cache)
    if rules.window == "bytes" or not shape.full_layers:
        return full * shape.full_layers + window * shape.window_layers
    return full * shape.full_layers + cache.window_ratio * window * shape.window_layers


def window_split(release: str, shape: Shape, cache: Cache, *, tokens: int, page_size: int = 1) -> tuple[int, int]:
    """Tokens of the full and of the window pool; `tokens` is what the rest memory gave, before pages.

    Raises NotApplicable where the release keeps one pool for all layers.
    """
    rules = sizing(release)
    ratio = cache.window_ratio
    if rules.window == "none" or not shape.window_layers:
        raise NotApplicable(f"SGLang {release} keeps one pool for this model")
    if rules.window == "layers":
        found = int(tokens * shape.layers / (ratio * shape.window_layers + shape.full_layers))
    elif not shape.full_layers:
        return 0, tokens // page_size * page_size
    elif rules.window == "bytes":
        full, window = window_layer_bytes(shape, cache)
        whole = tokens * (full * shape.full_layers + window * shape.window_layers)
        found = int(whole / (full * shape.full_layers + ratio * window * shape.window_layers))
    else:
        found = tokens // page_size * page_size
    return found // page_size * page_size, int(found * ratio) // page_size * page_size
