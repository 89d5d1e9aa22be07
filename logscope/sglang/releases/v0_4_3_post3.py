"""SGLang 0.4.3.post3: EAGLE chunks again, runs at most 32 requests, and enlarges the pool itself.

A test variable may replace the pool.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        eagle_turns_chunking_off=False,
        speculation_room="pool",
        speculation_running=32,
        small_kv_variable=True,
    )
