"""SGLang 0.5.4.post3: MLA models may store 4-bit floats."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, fp4_mla=True)
