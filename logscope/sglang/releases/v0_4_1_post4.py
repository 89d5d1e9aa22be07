"""SGLang 0.4.1.post4: EAGLE: no chunks, and a draft pool larger than the target's."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, eagle_turns_chunking_off=True, speculation_room="draft pool")
