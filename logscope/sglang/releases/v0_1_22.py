"""SGLang 0.1.22: at least 2048 request slots."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, request_factor=512, request_floor=2048)
