"""SGLang 0.4.1.post7: heads are divided by the attention's own parallel size."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, attention_tp=True, running_divided_by_dp=True)
