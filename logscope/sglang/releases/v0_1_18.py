"""SGLang 0.1.18: the pool holds the model's own dtype, and more ranks than KV heads share a head."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, element="model")
