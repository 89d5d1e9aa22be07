"""SGLang 0.2.7: the fraction leaves more again; request slots have a ceiling."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction_by_parallel=((16, 0.79), (8, 0.83), (4, 0.85), (2, 0.87), (1, 0.88)),
        request_cap=5120,
    )
