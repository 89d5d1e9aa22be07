"""SGLang 0.4.4.post1: DP attention divides the chunk by its size."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, dp_attention_divides_chunk="by dp_size")
