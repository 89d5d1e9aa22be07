"""SGLang 0.4.0.post2: DP attention captures as many as others."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, dp_attention_batch_limit=None)
