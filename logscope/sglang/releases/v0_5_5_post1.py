"""SGLang 0.5.5.post1: prefill graphs that are asked for reserve a quarter MiB a token."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, prefill_graph="asked: tokens/4", prefill_cap_tokens=4096)
