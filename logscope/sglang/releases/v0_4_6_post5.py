"""SGLang 0.4.6.post5: a device whose capacity cannot be read leaves 12 %."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang import fraction
from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, fraction=fraction.by_table_and_large_device)
