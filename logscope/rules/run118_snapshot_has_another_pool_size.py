"""The pool size inside a check is not the pool of this launch.

What it says
    total= or max_total_num_tokens= of a leak check, a busy check or a watchdog snapshot differs from the capacity
    line of the rank.

Why it matters
    Both print one number of one scheduler: the dump belongs to another start, rank or pool.

Example
    total=20000 in the snapshot, max_total_num_tokens=312581 in the capacity line.

Silent when
    The model has several pools, only one of the two is in the log, or they agree.

Source
    `scheduler_runtime_checker_mixin.py`; `Scheduler.watchdog_thread`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first snapshot that differs."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    pool = limits.pool(rank)
    rows = [
        row
        for name in ("pool_leak", "memory_check", "watchdog")
        for row in rank.rows(name)
        if row.get("total_tokens") is not None
    ]
    rows = [row for row in rows if str(row.get("pool", "full")) in ("full", "kv", "token_to_kv_pool_allocator")]
    if not rows:
        raise FactMissing(f"no check of {rank.name} printed the size of the pool")
    other = [row for row in rows if row["total_tokens"] != pool.value]
    if not other:
        return None
    return compared(
        f"A check counts {other[0]['total_tokens']:,} tokens in the pool, and the capacity line {pool.value:,.0f}.",
        other[0].quantity("total_tokens"),
        pool.interval,
        "max_total_num_tokens of the capacity line",
        pool.line,
    )
