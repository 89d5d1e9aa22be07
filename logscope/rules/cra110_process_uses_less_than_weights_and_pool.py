"""The process used less than its weights and its pool.

What it says
    What the allocator says that the process uses is less than weights + pool of its rank, by more than half a GiB.

Why it matters
    The pool was not resident (address space only, released for training), or the sentence belongs to another
    process.

Example
    Weights 15.00 and pool 51.64 GiB, and 30.10 GiB in use.

Silent when
    The sentence prints no use of the process, the weights or the pool are not printed, or it fits.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import allocator, memory, pools, settings
from logscope.facts.allocator import of_host
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "allocator_failure", _of)


def _of(rank: Rank) -> Finding | None:
    rows = [row for row in rank.rows("allocator_failure") if row.get("process") is not None and not of_host(row)]
    if not rows:
        raise FactMissing(f"no allocator sentence of {rank.name} prints what the process uses")
    if any(str(row.get("kind", "")).startswith(("post", "upper")) for row in rank.rows("kv_pool")):
        raise NotApplicable("the pool is address space that is backed later")
    if settings.set_to(rank.launch, "enable_memory_saver"):
        raise NotApplicable("the pool can be released")
    used = allocator.size(rows[0], "process")
    pool, loaded = pools.size(rank), memory.weights(rank)
    least = pool.interval + loaded.interval
    if used.interval.hi >= least.lo - 0.5:
        return None
    return compared(
        f"The process used {used.value:.2f} GiB, and its weights and pool alone are {least.mid:.2f} GiB.",
        used,
        at_least(least.lo - 0.5),
        "weights + kv_pool − 0.5",
        pool.line,
        *[load.end.ref for load in memory.loads(rank)[:1]],
    )
