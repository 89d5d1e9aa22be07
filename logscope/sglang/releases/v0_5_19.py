"""SGLang 0.5.19: pipeline stages capture breakable prefills up to 8192 tokens."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, prefill_cap_pp_breakable_tokens=8192)
