"""SGLang 0.4.9.post3: the loss depends on the vision encoder.

Models with sliding windows split the pool by layers.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, vision="encoder", window="layers")
