"""SGLang 0.2.8: --max-total-tokens caps the pool."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, token_cap=True)
