"""SGLang 0.5.14: draft weights and draft cache count in the budget, so speculation reserves nothing.

The refusal names the smallest fraction.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        eagle_reserve_mib=0,
        standalone_reserve_mib=0,
        draft_in_budget=True,
        draft_scale=True,
        refusal="rest",
        running="half",
        window_request_cap=True,
    )
