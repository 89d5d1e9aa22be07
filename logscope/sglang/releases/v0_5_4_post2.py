"""SGLang 0.5.4.post2: speculation captures a batch of 64."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, decode_shapes="with 64")
