"""SGLang 0.5.17: the context no longer ends captured prefills; decode nodes have no vision encoder.

Fp8 sparse attention is counted as it is stored.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        prefill_cap_by_context=False,
        deepep_breakable_reserve_mib=1024,
        vision_spares_decode_node=True,
        dsa_fp8_packed=True,
        mamba_extra_slot=True,
    )
