"""SGLang 0.3.1: request slots end at 4096."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, request_cap=4096, running_margin=0)
