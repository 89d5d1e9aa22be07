"""SGLang 0.5.3.post3: NPUs have classes of their own."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        npu_classes=(
            DeviceClass(20 * 1024, 2048, 8, 8),
            DeviceClass(32 * 1024, 32768, 16, 64),
            DeviceClass(35 * 1024, 2048, 16, 80),
            DeviceClass(60 * 1024, 4096, 32, 160),
            DeviceClass(64 * 1024, 32768, 64, 128),
        ),
    )
