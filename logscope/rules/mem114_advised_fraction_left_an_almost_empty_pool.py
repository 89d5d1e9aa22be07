"""The advised fraction was taken and left an almost empty pool.

What it says
    A launch was refused, the next one has the advised fraction to the digit, and its pool is below 1 % of the
    memory.

Why it matters
    The advice is the floor at which the weights just fit, not a fraction that serves. Add what the wanted tokens
    take.

Example
    0.770 after a refusal that says above 0.770: 0.08 GiB are 1,222 tokens.

Silent when
    No launch was refused with an advice, no later one took it, or its pool is larger.

Source
    `kv_cache_configurator.py`, 0.5.14 and later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logscope.errors import FactMissing, NotChecked
from logscope.facts import memory, pools
from logscope.finding import Finding
from logscope.launch import Launch, Row
from logscope.rules._compared import at_least, compared

SEVERITY = "note"
KIND = "smell"
_SHARE = 0.01


def check(launches: Sequence[Launch]) -> Finding | None:
    """The first launch that took the advice."""
    advised = [
        (launch, row)
        for launch in launches
        for row in launch.rows("budget_refused")
        if row.get("suggested_fraction") is not None
    ]
    if not advised:
        raise FactMissing("no refusal advises a fraction")
    for before, row in advised:
        for launch in launches:
            if launch.id <= before.id or launch.arguments.get("mem_fraction_static") != row["suggested_fraction"]:
                continue
            made = _small(launch, row)
            if made:
                return made[0]
    return None


def _small(launch: Launch, row: Row) -> list[Finding]:
    for name in launch.ranks:
        rank = launch.rank(name)
        try:
            pool, before = pools.size(rank), memory.available_before_load(rank)
        except NotChecked:
            continue
        if pool.interval.hi < _SHARE * before.value:
            message = f"At the advised {row['suggested_fraction']:g} the pool of launch {launch.id} is {pool.value:.2f} GiB: the advice is the floor, not a fraction that serves."
            made = compared(message, pool, at_least(_SHARE * before.value), "1 % of the free memory", row.ref)
            return [replace(made, launches=(launch.id,))]
    return []
