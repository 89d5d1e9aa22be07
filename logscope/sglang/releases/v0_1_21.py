"""SGLang 0.1.21: sixteen ranks have a row of their own."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, fraction_by_parallel=((16, 0.74), (8, 0.78), (4, 0.82), (2, 0.85), (1, 0.88)))
