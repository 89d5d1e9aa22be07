"""The static budget of a launch whose start was refused or booted: floor, rest, and what was asked.

floor = 1 − A / T with T the free memory before the weights and A after them, both the least of all ranks that the log
holds; rest = A − T · (1 − f). GiB.
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.facts import memory, pool_group
from logscope.launch import Launch, Rank, Row
from logscope.quantity import Interval, Quantity


@dataclass(frozen=True, slots=True)
class Budget:
    """Free memory before and after the weights, as the rank with the least printed it."""

    before: Quantity
    after: Quantity

    @property
    def floor(self) -> Interval:
        """The fraction below which the weights leave nothing."""
        return 1 - self.after.interval / self.before.interval

    def rest(self, fraction: float) -> Interval:
        """What the fraction leaves for the pool; negative: the start is refused."""
        return self.after.interval - self.before.interval * (1 - fraction)


def budget(launch: Launch) -> Budget:
    """The least readings of the ranks that size their pools together; of several groups the one with the least left."""
    found = {rank.name: own for rank in pool_group.loading_ranks(launch) for own in _of(rank)}
    if not found:
        raise FactMissing("no rank printed its free memory before and after the weights")
    least = min(found, key=lambda name: found[name].after.interval.lo)
    together = [found[rank.name] for rank in pool_group.group(launch.rank(least)) if rank.name in found]
    before = min((one.before for one in together), key=lambda q: (q.interval.lo, q.rank != least))
    return Budget(before, found[least].after)


def _of(rank: Rank) -> list[Budget]:
    """What one rank printed, or nothing."""
    loads = memory.loads(rank)
    if loads:
        before = loads[0].begin.quantity("avail_mem_gib", "avail_before_load")
        return [Budget(before, memory.available_after_load(rank))]
    alone = _from_usage(rank.rows("load_weight"))
    return [alone] if alone else []


def _from_usage(rows: list[Row]) -> Budget | None:
    """A pair of which only the end is in the log: before = avail + usage."""
    for row in rows:
        if row.get("avail_mem_gib") is not None and row.get("mem_usage_gib") is not None:
            after = row.quantity("avail_mem_gib", "avail_after_load")
            before = after.interval + row.quantity("mem_usage_gib").interval
            return Budget(
                Quantity.computed("avail_before_load", before, "GiB", "avail mem + mem usage", row.rank), after
            )
    return None


def refusal(launch: Launch) -> Row:
    """The sentence with which the start was refused; raises FactMissing when there is none."""
    rows = [row for row in launch.rows("budget_refused") if row.get("pool", "kv") != "host"]
    if not rows:
        raise FactMissing("the start was not refused for memory")
    return rows[0]


def stated_fraction(launch: Launch) -> Quantity:
    """The fraction in force as the log states it: in the refusal, else in the arguments."""
    for row in launch.rows("budget_refused"):
        if row.get("fraction") is not None:
            return row.quantity("fraction", "mem_fraction_static")
    value = launch.argument("mem_fraction_static")
    if not isinstance(value, int | float):
        raise FactMissing("mem_fraction_static is not set in the arguments")
    return Quantity("mem_fraction_static", float(value), Interval.exact(value), "share", launch.arguments_line)
