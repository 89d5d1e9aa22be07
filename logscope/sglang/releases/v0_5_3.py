"""SGLang 0.5.3: the fraction adds up activations, graphs and parallel buffers; graphs have a class table.

The refusal names the fraction.
"""

from __future__ import annotations

import math
from dataclasses import replace

from logscope.sglang import fraction
from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction=fraction.by_activation,
        sparse_attention_fraction=0.8,
        classes=(
            DeviceClass(20 * 1024, 2048, 8, 8),
            DeviceClass(35 * 1024, 2048, 16, 80),
            DeviceClass(60 * 1024, 4096, 32, 160),
            DeviceClass(160 * 1024, 8192, 256, 512),
            DeviceClass(math.inf, 16384, 512, 512),
        ),
        unknown_class=DeviceClass(math.inf, 4096, 160, 160),
        decode_shapes="without 64",
        speculation_room_eagle_only=True,
        refusal="tokens, with value",
    )
