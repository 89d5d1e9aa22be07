"""SGLang 0.4.4.post4: multimodal models lose 10 % of the fraction, unseen in the arguments.

Speculation runs at most 48 requests.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, runner_multimodal_factor=0.9, speculation_running=48)
