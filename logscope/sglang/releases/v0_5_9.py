"""SGLang 0.5.9: language-only servers keep the whole fraction; windows are counted in bytes."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang import graphs
from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        vision_spares_language_only=True,
        mamba_radix_off_needs_running=True,
        prefill_shapes=graphs.coarse_shapes,
        window="bytes",
    )
