"""SGLang 0.5.13: captured prefills end at the context; state and draft states are solved together.

MLX counts attention layers.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, prefill_cap_by_context=True, mamba="joint", mlx="attention layers")
