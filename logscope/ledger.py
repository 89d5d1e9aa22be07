"""Where the device memory of each rank went, as a ledger: what was free, what each step took, what is left.

Parts come from printed lines or their differences; what no line accounts for is its own block, negative as well: never
clamped. GiB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from logscope.errors import NotChecked
from logscope.facts import memory, pools
from logscope.facts.mlx import sizing
from logscope.launch import Launch, Rank
from logscope.plain import quantity_of
from logscope.quantity import Interval, Quantity

_MOST_RANKS = 16


def ledgers(launch: Launch) -> Iterator[dict[str, Any]]:
    """One ledger a rank that printed enough; ranks in order."""
    if launch.has("mlx_pool"):
        try:
            yield _of_mlx(launch)
        except NotChecked:
            pass
        return
    for name in [rank for rank in launch.ranks if rank != "main"][:_MOST_RANKS]:
        try:
            yield _of_rank(launch.rank(name))
        except NotChecked:
            continue


_PARTS: tuple[tuple[str, Callable[[Rank], Quantity]], ...] = (
    ("weights", memory.weights),
    ("draft weights", memory.draft_weights),
    ("state pool", pools.state_size),
    ("KV pool", pools.size),
    ("graphs", memory.graph_memory),
)


def _of_rank(rank: Rank) -> dict[str, Any]:
    total = memory.available_before_load(rank)
    parts: list[Quantity] = []
    for name, fact in _PARTS:
        try:
            parts.append(fact(rank).named(name))
        except NotChecked:
            continue
    left = _left(rank)
    spent = left.interval
    for part in parts:
        spent = spent + part.interval
    unexplained = total.interval - spent
    return _made(rank.name, total, [*parts, left.named("free")], unexplained)


def _left(rank: Rank) -> Quantity:
    for fact in (
        memory.available_at_ready,
        memory.available_after_graphs,
        memory.pool_end,
        memory.available_after_load,
    ):
        try:
            return fact(rank)
        except NotChecked:
            continue
    return memory.available_after_load(rank)


def _of_mlx(launch: Launch) -> dict[str, Any]:
    found = sizing(launch)
    outside = Quantity.computed("outside the pool", found.outside, "GiB", "sys_available − kv_budget")
    return _made("TP0", found.available, [found.budget.named("KV pool"), outside], Interval.exact(0))


def _made(rank: str, total: Quantity, parts: list[Quantity], unexplained: Interval) -> dict[str, Any]:
    return {
        "rank": rank,
        "unit": "GiB",
        "total": quantity_of(total),
        "parts": [quantity_of(part) for part in parts],
        "unexplained": {"value": unexplained.mid, "lo": unexplained.lo, "hi": unexplained.hi},
    }
