"""What the KV allocator said when it could not place tokens: what was asked for, what each pool had, whole pages of it.

Source: `mem_cache/allocation.py` (earlier `mem_cache/common.py`, `managers/schedule_batch.py`). The text is logged and
raised, so it stands in the log twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.launch import Launch, Row
from logscope.quantity import LineRef


@dataclass(frozen=True, slots=True)
class Pool:
    """Free and evictable tokens of one pool; `total` is their sum as printed or computed."""

    name: str
    free: int
    evictable: int
    line: LineRef

    @property
    def total(self) -> int:
        return self.free + self.evictable


@dataclass(frozen=True, slots=True)
class Shortage:
    """The first failed allocation of a launch."""

    stage: str  # Prefill, Decode or ""
    requested: int
    pools: tuple[Pool, ...]
    page_size: int
    lines: tuple[LineRef, ...]

    @property
    def short(self) -> tuple[Pool, ...]:
        """The pools that do not hold what was asked for."""
        return tuple(pool for pool in self.pools if pool.total < self.requested)

    @property
    def free_pages(self) -> int:
        """Whole free pages of the first pool."""
        return self.pools[0].free // self.page_size if self.pools else 0


def shortage(launch: Launch) -> Shortage:
    """What was asked for and what the pools had; raises FactMissing when the allocator never failed."""
    rows = launch.rows("pool_exhausted")
    if not rows:
        raise FactMissing("the KV allocator never failed")
    lines: list[LineRef] = []
    requested, stage = 0, ""
    pools: dict[str, Pool] = {}
    for row in rows:
        if row.get("kind") == "head" and requested and pools:
            break
        stage = stage or str(row.get("stage", ""))
        requested = requested or int(row.get("requested_tokens", 0))
        lines.append(row.ref)
        if row.get("kind") in ("available", "evictable"):
            _put(pools, row)
    size = launch.arguments.get("page_size")
    return Shortage(
        stage,
        requested,
        tuple(pools.values()),
        size if isinstance(size, int) and size > 0 else 1,
        tuple(dict.fromkeys(lines)),
    )


def _put(pools: dict[str, Pool], row: Row) -> None:
    name = str(row.get("pool", "full")).lower().replace(" tokens", "")
    old = pools.get(name)
    free = row.get("available_tokens", old.free if old else None)
    evictable = row.get("evictable_tokens", old.evictable if old else 0)
    if free is None:
        free = row.get("available_total_tokens", 0) - evictable
    if row.get("kind") == "evictable" and old is None:
        return  # the size of a list of another pool that printed no line of its own
    line = row.ref if old is None or row.get("available_tokens") is not None else old.line
    pools[name] = Pool(name, int(free), int(evictable), line)
