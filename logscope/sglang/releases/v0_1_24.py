"""SGLang 0.1.24: the fraction leaves less; running requests fit the slots."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        running="half or flag, within slots",
        running_margin=-1,
        fraction_by_parallel=((16, 0.80), (8, 0.84), (4, 0.86), (2, 0.88), (1, 0.89)),
    )
