"""SGLang 0.3.5.post2: devices below 25,000 MiB take a quarter of the chunk (also of a given one).

Their graphs end at 4.
"""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        classes=(DeviceClass(25_000, 2048, 4, 4), DeviceClass(math.inf, 8192, 160, 160)),
        small_device="divides",
    )
