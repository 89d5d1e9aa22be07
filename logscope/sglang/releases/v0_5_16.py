"""SGLang 0.5.16: the pool may be sized after the graphs; mxfp8 and 4-bit pools count their scales.

A window pool must hold one request.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, post_capture_reserve_mib=512, mxfp8=True, window_floor=True)
