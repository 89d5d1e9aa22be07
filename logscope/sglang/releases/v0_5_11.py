"""SGLang 0.5.11: one configuration object sizes all pools: windows by their cell, the refusal without a value.

MLX sizes its pool.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        window="cell",
        refusal="tokens, without value",
        mlx="all layers",
        request_extra_rows=1,
    )
