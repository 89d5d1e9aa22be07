"""SGLang 0.2.13: prefill is chunked by 8192 tokens."""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, classes=(DeviceClass(math.inf, 8192),), unknown_class=DeviceClass(math.inf, 8192))
