"""SGLang 0.5.15: prefill and decode nodes reserve only what they use; DeepEP reserves 2 GiB."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, by_role=True, deepep_reserve_mib=2 * 1024)
