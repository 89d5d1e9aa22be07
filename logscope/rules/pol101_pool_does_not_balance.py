"""The parts of a pool do not add up to the pool.

What it says
    available + evictable + protected (+ session held + uncached) of a pool is not its total, as the server's own check
    printed them. The sign tells which fault it is.

Why it matters
    A positive difference is a leak: slots that nobody gave back. A negative one is a double free, its opposite. A difference
    of one slot in a state pool is not a shortage of tokens. No fraction changes any of it.

Example
    Total 3,189,424, available 3,192,000 and evictable 1,648: −4,224 = 264 pages of 16, freed twice.

Silent when
    No check printed its numbers, or they balance.

Source
    `check_memory`, `scheduler_runtime_checker_mixin.py`, `managers/scheduler_components/invariant_checker.py`.
"""

from __future__ import annotations

from logscope.facts.leaks import Balance, balances
from logscope.finding import Finding, Gap
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity

SEVERITY = "error"
KIND = "mismatch"


def check(launch: Launch) -> list[Finding]:
    """One finding a pool whose parts differ from its total; repeated prints of one difference count once."""
    found: dict[tuple[str, int], Balance] = {}
    for balance in balances(launch):
        if balance.difference:
            found.setdefault((balance.pool, balance.difference), balance)
    return [_finding(balance) for balance in found.values()]


def _finding(balance: Balance) -> Finding:
    unit = "slots" if balance.of_states else "tokens"
    observed = Quantity(
        "pool_total", float(balance.total), Interval.exact(balance.total), unit, balance.line, rank=balance.rank
    )
    computed = Quantity(
        "pool_accounted",
        float(balance.accounted),
        Interval.exact(balance.accounted),
        unit,
        balance.line,
        "computed",
        balance.rank,
        "available + evictable + protected + session_held + uncached",
    )
    return Finding(
        message=f"The {balance.pool} pool has {balance.total:,} slots and accounts for {balance.accounted:,}: {_fault(balance)}.",
        evidence=(balance.line,),
        observed=observed,
        computed=computed,
        gap=Gap(abs(balance.difference), 0.0, unit),
        role="root",
        rank=balance.rank,
        data={"difference": balance.difference, "one_state": balance.one_state},
    )


def _fault(balance: Balance) -> str:
    """What the sign and the size say, in words."""
    if balance.one_state:
        return "one state slot was not given back, which is no shortage of tokens"
    slots = f"{abs(balance.difference):,}{balance.pages} {'is' if abs(balance.difference) == 1 else 'are'}"
    if balance.difference > 0:
        return f"{slots} missing: nobody gave them back (a leak)"
    return f"{slots} counted twice: given back twice (a double free)"
