"""The balance of each pool as a leak check or a snapshot prints it: total − available − evictable − protected − …

Positive: slots that nobody gave back. Negative: slots given back twice. Zero in the headline pool says nothing of the
others.

Source: `scheduler_runtime_checker_mixin.py`, `managers/scheduler_components/invariant_checker.py`; `check_memory`
before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

_HELD = ("evictable_tokens", "protected_tokens", "session_tokens", "uncached_tokens")


@dataclass(frozen=True, slots=True)
class Balance:
    """One pool: its size, what the check could account for, the difference."""

    pool: str
    total: int
    accounted: int
    rank: str
    line: LineRef
    page_size: int

    @property
    def difference(self) -> int:
        """Slots that are missing (positive) or counted twice (negative)."""
        return self.total - self.accounted

    @property
    def of_states(self) -> bool:
        """Whether the slots of this pool are states of requests (mamba, linear attention), not tokens."""
        return self.pool.startswith("mamba")

    @property
    def one_state(self) -> bool:
        """Whether one state slot was not given back: a request or a branch of the cache kept it."""
        return self.of_states and self.difference == 1

    @property
    def pages(self) -> str:
        """The difference in pages, where it is a whole number of them."""
        whole = self.page_size > 1 and self.difference % self.page_size == 0
        return f" = {abs(self.difference) // self.page_size} pages of {self.page_size}" if whole else ""


def balances(launch: Launch) -> list[Balance]:
    """Every pool that a leak check of this launch printed; raises FactMissing when none did."""
    rows = [row for row in _printed(launch) if row.get("total_tokens") is not None]
    rows = [row for row in rows if row.get("available_tokens") is not None]
    if not rows:
        raise FactMissing("no leak check printed the size of a pool and what is free of it")
    return [_balance(launch, row) for row in rows]


def _printed(launch: Launch) -> Iterator[Row]:
    """The lines of leak checks, and the further pools on the lines right below one; a dump of all pools is no leak."""
    below = {row.ref: row for row in launch.rows("watchdog") if row.get("pool") is not None}
    for row in launch.rows("pool_leak"):
        yield row
        number = row.ref.line + 1
        while (further := below.get(LineRef(row.ref.path, number))) is not None:
            yield further
            number += 1


def _balance(launch: Launch, row: Row) -> Balance:
    held = sum(int(row.get(name, 0)) for name in _HELD)
    size = launch.arguments.get("page_size")
    return Balance(
        str(row.get("pool", "full")),
        row["total_tokens"],
        row["available_tokens"] + held,
        row.rank,
        row.ref,
        size if isinstance(size, int) else 1,
    )
