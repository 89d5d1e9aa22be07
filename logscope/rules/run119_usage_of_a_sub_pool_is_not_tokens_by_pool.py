"""The usage of a sub-pool is not its tokens divided by its size.

What it says
    full, sliding-window or state usage of a decode line and its own count ÷ its own size lie further apart than
    rounding allows.

Why it matters
    Each sub-pool has a size of its own: the split belongs to another start, or one pool's line prints the numbers
    of another.

Example
    #swa token: 400,000 of 838,860 print as 0.48; 0.05 is another pool's.

Silent when
    One pool only, the size of the sub-pool is not printed or printed twice, or the share fits within 0.0051.

Source
    `SWATokenToKVPoolAllocator`, `HybridReqToTokenPool`; `log_decode_stats`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing, NotChecked
from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"
_COLUMNS = {
    "full": ("full_tokens", "full_token_usage_share"),
    "swa": ("swa_tokens", "swa_token_usage_share"),
    "mamba": ("mamba_slots", "mamba_usage_share"),
}


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    splits = [row for row in rank.rows("kv_pool") if row.get("kind") == "split"]
    states = [row for row in rank.rows("state_pool") if row.get("max_mamba_cache_size") is not None]
    sizes = {"full": [row.quantity("full_tokens") for row in splits if row.get("full_tokens")]}
    sizes["swa"] = [row.quantity("swa_tokens") for row in splits if row.get("swa_tokens")]
    sizes["mamba"] = [row.quantity("max_mamba_cache_size") for row in states]
    judged_pools = 0
    for pool, (used_name, share_name) in _COLUMNS.items():
        if len(sizes[pool]) != 1:
            continue
        try:
            used = batches.column(rank, "decode_batch", used_name)
            shown = batches.column(rank, "decode_batch", share_name)
        except NotChecked:
            continue
        judged_pools += 1
        size = sizes[pool][0]
        apart = np.flatnonzero(np.abs(shown - used / size.value) > 0.0051)
        if apart.size:
            row = batches.row(rank, "decode_batch", int(apart[0]))
            share = row.quantity(used_name).interval / size.interval
            return compared(
                f"{row[used_name]:,} of {size.value:,.0f} slots of the {pool} pool are {share.mid:.4f}, and the line prints {row[share_name]:.2f}: {apart.size:,} of {len(used):,} decode lines.",
                row.quantity(share_name),
                share,
                f"{used_name} ÷ size of the {pool} pool",
                size.line,
            )
    if not judged_pools:
        raise FactMissing(f"{rank.name} prints no sub-pool with its size and its usage")
    return None
