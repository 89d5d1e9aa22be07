"""SGLang 0.3.5: decode graphs have a largest batch, 160.

Multimodal models lose 5 % of the fraction, unseen in the arguments.
"""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        classes=(DeviceClass(math.inf, 8192, 160, 160),),
        unknown_class=DeviceClass(math.inf, 8192, 160, 160),
        runner_multimodal_factor=0.95,
    )
