"""SGLang 0.5.8: captured prefills count by their number, below the floor of 10 GiB.

Draft states are always subtracted.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang import graphs
from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        mamba="share, less drafts",
        mamba_slots_per_request=3,
        mamba_running_divided=True,
        prefill_graph="asked: shapes",
        prefill_shapes=graphs.coarse_shapes_from_640,
        prefill_cap_mla_tokens=2048,
    )
