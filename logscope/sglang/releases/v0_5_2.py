"""SGLang 0.5.2: a standalone draft model reserves 6 GiB; gated-delta-net models keep state slots.

Pipeline stages agree on the smallest pool.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, standalone_reserve_mib=6 * 1024, mamba="slots", pipeline_minimum=True)
