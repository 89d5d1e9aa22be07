"""SGLang 0.5.18: multimodal models keep memory for features out of the pool; MLX counts full-attention layers."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, post_capture_reserve_mib=1536, multimodal_reserve=True, mlx="full attention layers")
