"""SGLang 0.1.20: the fraction leaves more."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, fraction_by_parallel=((8, 0.78), (4, 0.80), (2, 0.85), (1, 0.88)))
