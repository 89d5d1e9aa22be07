"""SGLang 0.4.7.post1: the fraction is a reserve by device class."""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang import fraction
from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction=fraction.by_device_class,
        eagle_reserve_mib=2048,
        standalone_reserve_mib=2048,
        classes=(DeviceClass(35 * 1024, 2048, 8, 80), DeviceClass(160 * 1024, 8192), DeviceClass(math.inf, 16384)),
        unknown_class=DeviceClass(math.inf, 4096),
        pd_chunk_tokens=None,
    )
