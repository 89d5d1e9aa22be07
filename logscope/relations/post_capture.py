"""Sizing after the capture of graphs: the pool that was reserved as address space is cut to what is left.

N = min(N₀, ⌊budget / c⌋), with N₀ the tokens of the address space, so the later line can only lower the pool; the
pool that is backed takes no more than was free after the weights. A line that says `VA upper bound` is no memory:
nothing is subtracted for it.

Releases: 0.5.16 and later, with `SGLANG_ENABLE_POST_CAPTURE_KV_SIZING=1` or by a model's hook. Exempt: all other
starts.
Source: `KVCacheConfigurator` (log line `Post-capture KV sizing`).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import AVAIL_AFTER_LOAD, KV_POOL, OWN_AVAIL_AFTER_LOAD, RESERVED_TOKENS, TOKENS

SOURCE = "KVCacheConfigurator"


def relations(setting: Setting) -> list[Relation]:
    """The pool within its address space and within the free memory. Raises NotApplicable."""
    if not setting.post_capture:
        raise NotApplicable("the pool was sized before the graphs were captured")
    free = AVAIL_AFTER_LOAD if setting.smallest else OWN_AVAIL_AFTER_LOAD
    return [
        Relation("pool_within_address_space", TOKENS, RESERVED_TOKENS, "≤", source=SOURCE),
        Relation("pool_within_free_memory", KV_POOL, free, "≤", sensor=setting.sensor_gib, source=SOURCE),
    ]
