"""SGLang 0.4.6.post2: pipeline stages count; devices above 96 GiB leave at least 18 GiB.

Disaggregated nodes take chunks of 16,384; layers are those of the stage.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang import fraction
from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction=fraction.by_table_and_large_device_strict,
        pd_chunk_tokens=16384,
        stage_layers=True,
    )
