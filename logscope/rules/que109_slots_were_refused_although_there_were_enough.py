"""The allocator refused slots although it had enough.

What it says
    What was asked for is not more than what every pool had free or could evict.

Why it matters
    The free slots are not whole pages, or the accounting is broken. It is the KV pool, not device memory, and there
    is no batch size to lower.

Example
    Try to allocate 512 tokens. Available tokens: 5120.

Silent when
    The allocator never failed, printed no numbers, or a pool was too small.

Source
    `alloc_token_slots`, `alloc_paged_token_slots_*` (`mem_cache/allocation.py`).
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.slots import shortage
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "mismatch"
_PAGES = 64  # each request of the batch may leave a page half used


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = shortage(launch)
    if not found.requested or not found.pools:
        raise FactMissing("the allocator printed no numbers")
    spare = min(found.pools, key=lambda pool: pool.total)
    if found.requested > spare.total - found.page_size * _PAGES:
        return None
    observed = Quantity.exact("requested_tokens", found.requested, "tokens", line=found.lines[0])
    return compared(
        f"{found.requested:,} tokens were refused and {spare.total:,} were free or evictable: the free slots are not whole pages, or the accounting is broken.",
        observed,
        at_least(float(spare.total)),
        "free + evictable tokens of the smallest pool",
        spare.line,
    )
