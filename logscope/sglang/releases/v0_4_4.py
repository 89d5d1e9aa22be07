"""SGLang 0.4.4: the pool is a whole number of pages."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, pages=True)
