"""What one release computes at start, as data: `sizing("0.5.9")` folds the changes of every release up to it.

A file in `releases/` says what one release changed, and nothing of what stayed: `changed(before: Sizing) -> Sizing`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from logscope.discover import units
from logscope.sglang.inputs import Inputs
from logscope.sglang.releases import RELEASES, between, order


@dataclass(frozen=True, slots=True)
class DeviceClass:
    """Defaults of devices below a capacity: the prefill chunk (tokens) and the largest decode graph (requests).

    `batch_wide` is for four or more tensor-parallel ranks; None leaves the choice to the capture.
    """

    below_mib: float
    chunk_tokens: int | None
    batch: int | None = None
    batch_wide: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """The rules of one release.

    Fraction: `fraction` computes mem_fraction_static from the inputs; `fraction_by_parallel` is its table (parallel
    size from, fraction); reserves are MiB. Defaults: `classes` and `npu_classes` by capacity, `unknown_class` where it
    cannot be read. Pool, requests and cells: see `pool`, `requests`, `cells`, which read them.
    """

    fraction: Callable[[Inputs, Sizing], float]
    fraction_by_parallel: tuple[tuple[int, float], ...]
    fraction_unknown: float = 0.88
    large_speculation: bool = False
    vision: Literal["none", "x0.90", "encoder"] = "none"
    vision_spares_language_only: bool = False
    vision_spares_decode_node: bool = False
    vision_post_capture_mib: int = 0
    runner_multimodal_factor: float = 1.0
    aiter_factor: float = 1.0
    aiter_factor_in_dump: bool = False
    sparse_attention_fraction: float | None = None
    eagle_reserve_mib: int = 0
    standalone_reserve_mib: int = 0
    deepep_reserve_mib: int = 0
    deepep_breakable_reserve_mib: int = 0
    post_capture_reserve_mib: int = 0
    xpu_reserve_mib: int = 0
    by_role: bool = False

    classes: tuple[DeviceClass, ...] = (DeviceClass(math.inf, None),)
    npu_classes: tuple[DeviceClass, ...] = ()
    npu_includes_limit: bool = False
    unknown_class: DeviceClass = field(default_factory=lambda: DeviceClass(math.inf, None))
    small_device: Literal["", "divides"] = ""
    chunk_off_is_none: bool = False
    dp_attention_batch_limit: int | None = None
    dp_attention_divides_chunk: Literal["no", "by 2", "by dp_size"] = "no"
    pd_chunk_tokens: int | None = None
    eagle_turns_chunking_off: bool = False
    graph_batch_at_most_running: bool = False
    cpu_graph_batch_is_compile_batch: bool = False
    decode_shapes: Literal["capture", "without 64", "with 64", "with the largest"] = "capture"

    prefill_graph: Literal["none", "asked: tokens/4", "asked: tokens/8", "asked: shapes", "default"] = "none"
    prefill_shapes: Callable[[int], list[int]] | None = None
    prefill_cap_tokens: int | None = None
    prefill_cap_mla_tokens: int | None = None
    prefill_cap_mla_by_chunk: bool = False
    prefill_cap_by_total: bool = False
    prefill_cap_by_context: bool = False
    prefill_cap_pp_breakable_tokens: int | None = None

    floor: Literal["divide, then truncate", "truncate, then divide"] = "divide, then truncate"
    small_kv_variable: bool = False
    speculation_room: Literal["none", "draft pool", "pool"] = "none"
    speculation_room_eagle_only: bool = False
    token_cap: bool = False
    pages: bool = False
    pipeline_minimum: bool = False
    multimodal_reserve: bool = False
    draft_in_budget: bool = False
    refusal: Literal["tokens", "tokens, with value", "tokens, without value", "rest"] = "tokens"

    request_factor: int = 256
    request_floor: int | None = None
    request_cap: int | None = None
    request_extra_rows: int = 0
    request_extra_columns: int = 8
    request_draft_columns: bool = False
    running: Literal["half or flag", "half or flag, within slots", "slots", "half"] = "half or flag"
    running_margin: int = 0
    running_least: int = 0
    running_divided_by_dp: bool = False
    speculation_running: int | None = None

    element: Literal["2 bytes", "model", "cache"] = "2 bytes"
    latent_keeps_model_dtype: bool = False
    mla: Literal["never", "asked", "unless disabled"] = "never"
    attention_tp: bool = False
    stage_layers: bool = False
    value_head: bool = False
    dsa_indexer: bool = False
    dsa_fp8_packed: bool = False
    fp4_mla: bool = False
    fp4_mha: bool = False
    mxfp8: bool = False
    window: Literal["none", "layers", "bytes", "cell"] = "none"
    window_request_cap: bool = False
    window_floor: bool = False
    draft_scale: bool = False
    mamba: Literal["none", "slots", "share, speculation per slot", "share", "share, less drafts", "joint"] = "none"
    mamba_radix_off_needs_running: bool = False
    mamba_extra_slot: bool = False
    mamba_slots_per_request: int = 3
    mamba_running_divided: bool = False
    mlx: Literal["none", "context", "all layers", "attention layers", "full attention layers"] = "none"


@functools.cache
def _history() -> tuple[tuple[str, Sizing], ...]:
    files = {name.removeprefix("v").replace("_", "."): unit for name, unit in units("logscope.sglang.releases").items()}
    told: list[tuple[str, Sizing]] = []
    for release in sorted(files, key=order):
        before = told[-1][1] if told else None
        told.append((release, files[release].changed(before)))
    return tuple(told)


@functools.cache
def sizing(release: str) -> Sizing:
    """The rules of a release; those of the last listed one before it for a candidate or a build."""
    known = between("", release)
    place = order(known[-1] if known else RELEASES[0])
    return [rules for name, rules in _history() if order(name) <= place][-1]


def changed_in() -> tuple[str, ...]:
    """The releases that have a file: those that changed something of the sizing."""
    return tuple(name for name, _ in _history())
