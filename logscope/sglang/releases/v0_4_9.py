"""SGLang 0.4.9: multimodal models lose 10 % of an automatic fraction, now in the arguments.

Llama 4 splits its pool.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, vision="x0.90", runner_multimodal_factor=1.0)
