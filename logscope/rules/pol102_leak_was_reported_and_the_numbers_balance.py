"""A leak was reported, and its numbers balance.

What it says
    The sentence of a leak check adds up: available + evictable + protected + … is the total.

Why it matters
    The check reports only what differs: a number was edited, or the difference lies in another pool that the
    sentence does not print.

Example
    total=20000, available=19300, evictable=99, protected=601.

Silent when
    No check reported a leak, several pools are printed, or the numbers differ.

Source
    `check_memory`, `scheduler_runtime_checker_mixin.py`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts.leaks import balances
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = balances(launch)
    if len({balance.pool for balance in found}) > 1:
        raise NotApplicable("several pools are printed, and another may differ")
    if any(balance.difference for balance in found):
        return None
    balance = found[0]
    observed = Quantity.exact("pool_accounted", balance.accounted, "tokens", line=balance.line, rank=balance.rank)
    return compared(
        f"The check reports a leak, and {balance.accounted:,} of {balance.total:,} slots are accounted for.",
        observed,
        at_most(balance.total - 1.0),
        "a report needs a difference",
    )
