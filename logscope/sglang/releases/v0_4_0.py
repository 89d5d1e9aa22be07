"""SGLang 0.4.0: the chunk and the largest graph are chosen by capacity unless they are given."""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction_by_parallel=((16, 0.79), (8, 0.81), (4, 0.85), (2, 0.87), (1, 0.88)),
        classes=(DeviceClass(25_000, 2048, 8, 8), DeviceClass(math.inf, 8192, 160, 160)),
        small_device="",
        chunk_off_is_none=False,
    )
