"""SGLang 0.3.6: eight ranks leave more; DP attention halves the chunk and captures at most 96 requests."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction_by_parallel=((16, 0.79), (8, 0.82), (4, 0.85), (2, 0.87), (1, 0.88)),
        dp_attention_divides_chunk="by 2",
        dp_attention_batch_limit=96,
    )
