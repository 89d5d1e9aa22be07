"""Who else holds the device: ranks that start with less than the others, free memory that moves with nothing freed.

Source: the imbalance check of `get_available_gpu_memory`; `Load weight`, capture bars, torch's sentence about other
processes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.facts import allocator
from logscope.facts.failures import Failure
from logscope.launch import Launch
from logscope.quantity import Interval, LineRef, Quantity

# Memory of common cards in GiB as the driver reports it, by maker: one server has cards of one. What an empty one has
# free is less by the driver's and the context's share: up to a fifth of a small card, at most a twelfth of a large one.
_CARDS = (
    (8, 10, 11, 12, 16, 20, 22, 24, 32, 40, 45, 48, 80, 94, 96, 128, 140, 179, 185),  # NVIDIA
    (8, 12, 16, 20, 24, 32, 45, 48, 64, 128, 192, 252, 288),  # AMD
    (8, 12, 16, 24, 32, 64, 128),  # Ascend, Intel
)
_EMPTY_SMALL, _EMPTY_LARGE, _LARGE_GIB = 0.8, 0.92, 32
_RATIO = 0.9
_PROCESS = re.compile(r"Process \d+ has (?P<held>\d+(?:\.\d+)?) (?P<unit>[KMG]iB) memory in use")
_GIB = {"KiB": 2.0**-20, "MiB": 2.0**-10, "GiB": 1.0}
_OWN_SHARE = 0.5  # of what this process holds, at least, comes from torch: the rest is context, NCCL and graphs


@dataclass(frozen=True, slots=True)
class Unequal:
    """The smallest and the largest free memory before the weights over the ranks, GiB, and the lines."""

    least: float
    most: float
    lines: tuple[LineRef, ...]

    @property
    def cards_differ(self) -> bool:
        """Whether both readings are what different cards have when they are empty."""
        pairs = [(_card(self.least, cards), _card(self.most, cards)) for cards in _CARDS]
        return any(small is not None and large is not None and small != large for small, large in pairs)


def _card(free: float, cards: tuple[int, ...]) -> int | None:
    """The smallest card of a maker that could have this much free, if it would then be nearly empty."""
    size = next((card for card in cards if card >= free), None)
    if size is None:
        return None
    return size if free / size >= (_EMPTY_SMALL if size < _LARGE_GIB else _EMPTY_LARGE) else None


def unequal(launch: Launch) -> Unequal:
    """Ranks that start with very different free memory; raises FactMissing when they do not."""
    for row in launch.rows("imbalance"):
        if row.get("least_gib") is not None and row.get("own_gib") is not None:
            return Unequal(row["least_gib"], row["own_gib"], (row.ref, *_least(launch)))
    firsts: dict[str, tuple[float, LineRef]] = {}
    for row in launch.rows("load_weight"):
        if row.get("kind") == "begin" and row.get("avail_mem_gib") is not None:
            firsts.setdefault(row.rank, (row["avail_mem_gib"], row.ref))
    if len(firsts) < 2:
        raise FactMissing("fewer than two ranks print their free memory before the weights")
    (least, low), (most, high) = min(firsts.values()), max(firsts.values())
    if least >= _RATIO * most:
        raise FactMissing(f"the ranks start with {least:.2f} to {most:.2f} GiB free")
    return Unequal(least, most, (low, high))


def _least(launch: Launch) -> tuple[LineRef, ...]:
    """The rank that starts with the least, if the log holds several."""
    begun = [row for row in launch.rows("load_weight") if row.get("kind") == "begin" and row.get("avail_mem_gib")]
    ordered = sorted(begun, key=lambda row: (float(row["avail_mem_gib"]), row.ref))
    return (ordered[0].ref,) if len(ordered) > 1 else ()


def foreign_gib(failure: Failure) -> float:
    """What processes that the allocator's sentence names hold beyond this one, GiB; 0 where it names none.

    Inside a container torch does not know its own number, and names this process like the others: it is the smallest
    that can hold what torch says that it allocated.
    """
    row = allocator.sentence(failure)
    held = [float(one["held"]) * _GIB[one["unit"]] for one in _PROCESS.finditer(failure.text)]
    held = held or [q.value for q in allocator.sizes(row, "other_process")]
    if row.get("process") is not None:
        return sum(held)
    own = sum(q.value for q in allocator.sizes(row, "allocated", "reserved"))
    mine = min((one for one in held if _OWN_SHARE * one < own <= one + 0.1), default=0.0)
    return sum(held) - mine + max(0.0, mine - own if len(held) == 1 else 0.0)


def taken_since(launch: Launch, failure: Failure) -> float:
    """By how much other processes hold more, when an allocation fails, than anybody held before this rank loaded, GiB.

    Raises FactMissing where the sentence prints no size of the device or the rank no free memory before its load.
    """
    total = allocator.size(allocator.sentence(failure), "total")
    begun = [row for row in launch.rows("load_weight") if row.get("kind") == "begin" and row.rank == failure.rank]
    if not begun:
        raise FactMissing(f"{failure.rank} prints no free memory before its load")
    before = max(0.0, total.value - float(begun[0]["avail_mem_gib"]))
    return foreign_gib(failure) - before


@dataclass(frozen=True, slots=True)
class Rise:
    """Free memory that rose where the server only takes: before, after, and the line."""

    before: Quantity
    after: Quantity


def rise(launch: Launch) -> Rise:
    """The largest rise of free memory inside one capture; raises FactMissing when there is none."""
    best: Rise | None = None
    last: dict[str, Quantity] = {}
    for row in launch.rows("progress"):
        if row.get("avail_mem_gib") is None or row.get("batch_size") is None:
            continue
        step = float(row.get("step", 0))
        now = row.quantity("avail_mem_gib", "avail_mem")
        before = last.get(row.rank)
        if step > 0 and before is not None and now.interval.lo > before.interval.hi + 1.0:
            grown = now.value - before.value
            if best is None or grown > best.after.value - best.before.value:
                best = Rise(before, now)
        last[row.rank] = now
    if best is None:
        raise FactMissing("free memory never rose inside a capture")
    return best


def ceiling(rise_: Rise) -> Quantity:
    """What the free memory can be at most where a capture only takes."""
    interval = Interval(0.0, rise_.before.interval.hi)
    return Quantity(
        "avail_mem_at_most",
        rise_.before.value,
        interval,
        "GiB",
        rise_.before.line,
        "computed",
        rise_.before.rank,
        "avail mem of the step before",
    )
