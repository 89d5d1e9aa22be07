"""Keys and values of one pool differ in size.

What it says
    K size and V size of a pool are not equal.

Why it matters
    They are equal where both have the same heads and dimensions. A model whose values are narrower shows it, and
    then neither of them is half of a token.

Example
    K size: 12.00 GB, V size: 8.00 GB.

Silent when
    One buffer holds both, or they are equal.

Source
    `MHATokenToKVPool`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "kv_pool", _of)


def _of(rank: Rank) -> Finding | None:
    rows = [row for row in rank.rows("kv_pool") if row.get("k_gib") is not None and row.get("v_gib") is not None]
    if not rows:
        raise FactMissing(f"{rank.name} printed no pool with keys and values")
    for row in rows:
        keys, values = row.quantity("k_gib"), row.quantity("v_gib")
        if keys.interval.distance(values.interval) > 0.01:
            return compared(
                f"The keys take {keys.value:.2f} GiB and the values {values.value:.2f} GiB.",
                keys,
                values.interval,
                "the values of the same pool",
            )
    return None
