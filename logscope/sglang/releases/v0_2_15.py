"""SGLang 0.2.15: a latent follows the dtype of the KV cache."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, latent_keeps_model_dtype=False)
