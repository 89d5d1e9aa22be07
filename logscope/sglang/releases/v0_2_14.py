"""SGLang 0.2.14: the KV cache has a dtype of its own, which a latent does not follow."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, element="cache", latent_keeps_model_dtype=True)
