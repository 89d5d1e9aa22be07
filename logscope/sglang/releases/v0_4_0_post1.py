"""SGLang 0.4.0.post1: four ranks on small devices capture up to 80."""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, classes=(DeviceClass(25_000, 2048, 8, 80), DeviceClass(math.inf, 8192, 160, 160)))
