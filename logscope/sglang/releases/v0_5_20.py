"""SGLang 0.5.20: devices of 20 to 35 GiB take twice the chunk and the graphs; an unknown capacity leaves 5 %.

XPUs reserve 2 GiB.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        fraction_unknown=0.95,
        classes=tuple(DeviceClass(35 * 1024, 4096, 48, 160) if c.below_mib == 35 * 1024 else c for c in before.classes),
        xpu_reserve_mib=2 * 1024,
        vision_post_capture_mib=8 * 1024,
    )
