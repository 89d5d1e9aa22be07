"""SGLang 0.4.5.post3: devices above 80 GiB leave 13 GiB.

The largest graph of others than small devices is chosen at capture.
"""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang import fraction
from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction=fraction.by_table_or_13_gib,
        classes=(DeviceClass(25_000, 2048, 8, 80), DeviceClass(math.inf, 8192)),
        unknown_class=DeviceClass(math.inf, 8192),
    )
