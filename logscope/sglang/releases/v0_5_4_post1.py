"""SGLang 0.5.4.post1: devices of 20 to 35 GiB capture up to 24; the aiter loss stands in the arguments."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        classes=tuple(replace(c, batch=24) if c.below_mib == 35 * 1024 else c for c in before.classes),
        npu_classes=tuple(replace(c, batch=24) if c.below_mib == 35 * 1024 else c for c in before.npu_classes),
        aiter_factor_in_dump=True,
    )
