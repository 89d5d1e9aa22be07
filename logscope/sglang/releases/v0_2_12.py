"""SGLang 0.2.12: a chunk of zero or less switches chunked prefill off."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, chunk_off_is_none=True)
