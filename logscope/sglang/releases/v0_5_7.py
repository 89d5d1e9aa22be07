"""SGLang 0.5.7: the captured prefill is the chunk, at an eighth MiB a token.

Speculation no longer enlarges the pool; values may be narrower than keys; a running request needs five state slots.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import DeviceClass, Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        prefill_graph="asked: tokens/8",
        prefill_cap_tokens=None,
        npu_classes=(DeviceClass(32 * 1024, 4096, 16, 64), DeviceClass(64 * 1024, 8192, 64, 256)),
        npu_includes_limit=True,
        floor="truncate, then divide",
        mamba_slots_per_request=5,
        speculation_room="none",
        small_kv_variable=False,
        value_head=True,
        mamba="share",
    )
