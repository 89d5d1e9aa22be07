"""Another process, a leftover server or a second model holds the device.

What it is
    Free memory is missing before this server takes any, or comes back while it only takes.

How to tell
    One rank of equal cards starts with far less than the others; torch's sentence names another process, which holds
    half the device or came after the load had begun; free memory rises inside a capture.

Not to be taken for
    `devices_unequal`: the two numbers are the sizes of different cards. The server's own draft model. A fraction that is
    too low: a negative budget that was measured while a tenant held the device.

What to do
    End the other process, then start again. Raise the fraction only if the tenant stays.

Source
    The imbalance check of `ModelRunner.init_torch_distributed`; torch `CUDACachingAllocator.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._tenant_stays import if_it_stays
from logscope.errors import FactMissing, NotChecked
from logscope.facts import allocator
from logscope.facts.failures import Failure
from logscope.facts.tenants import foreign_gib, rise, taken_since, unequal
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import Chain, chain
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "Somebody else holds the device"
_BEFORE_POOL = ("arguments", "init", "load", "unknown")
_STARTING = ("pool", "workspace", "capture", "warm_up")
_NOTABLE_SHARE = 0.1  # of the device: contexts of the server's own other processes are less
_TAKEN = 0.5  # of the device free before the load, at most: less than any context or driver explains


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Unequal readings of equal cards, another process in an allocator's sentence, or memory that came back."""
    root = case.root
    try:
        found = unequal(case.launch)
        if not found.cards_differ:
            told = f"one rank started with {found.least:.2f} GiB free where another had {found.most:.2f} GiB"
            yield _made(case, 0.9 if root is not None and "imbalance" in root.marks else 0.45, told, found.lines)
    except NotChecked:
        yield from _unequal_without_numbers(case, root)
    if root is not None and "allocator_failure" in root.marks:
        yield from _named_by_allocator(case, root)
    if root is None:
        try:
            came_back = rise(case.launch)
            told = f"free memory rose from {came_back.before.value:.2f} to {came_back.after.value:.2f} GiB inside a capture that only takes memory"
            profiled = [
                row.ref
                for row in case.launch.rows("kv_pool")
                if row.get("kind") == "profiled" and row.get("tokens", 0) < 0
            ]
            lines = [q.line for q in (came_back.after, came_back.before) if q.line]
            yield _made(case, 0.6, told, (*lines, *profiled))
        except NotChecked:
            pass


def _named_by_allocator(case: Case, root: Failure) -> Iterator[Hypothesis]:
    """Other processes in the sentence: before the pool they can only have been there, later they may have come since."""
    total = [q.value for q in allocator.sizes(allocator.sentence(root), "total")]
    if not total:
        return
    foreign, lines = foreign_gib(root), (root.decisive, *_before(case, root))
    told = f"other processes hold {foreign:.2f} of {total[0]:.2f} GiB"
    if root.phase in _BEFORE_POOL:
        if foreign > 0.5 * total[0]:
            yield _made(case, 0.93, told, lines)
        held = _held(case, root)
        if held is not None:
            yield _made(case, 0.925, *held)
        return
    try:
        since = taken_since(case.launch, root)
    except FactMissing:
        if foreign > 0.5 * total[0] and root.phase in _STARTING:
            yield _made(case, 0.95, told, lines)
        return
    if since > _NOTABLE_SHARE * total[0]:
        yield _made(case, 0.95, f"{told}, {since:.2f} GiB more than anybody held before the load", lines)


def _unequal_without_numbers(case: Case, root: Failure | None) -> Iterator[Hypothesis]:
    """The sentence of the check as releases before 0.4.6 print it: that ranks differ, not by how much."""
    if root is not None and "imbalance" in root.marks:
        told = "one rank started with less than nine tenths of what another had free; this release prints no numbers"
        yield _made(case, 0.85, told, (root.decisive,))


def _held(case: Case, root: Failure) -> tuple[str, tuple[LineRef, ...]] | None:
    """A device that was mostly taken before the weights: free memory far below its size."""
    total = list(allocator.sizes(allocator.sentence(root), "total"))
    rows = [row for row in case.launch.rows("load_weight") if row.rank == root.rank]
    if rows and rows[0].get("kind") != "begin":
        return None  # a model of its own was loaded before: a draft finds what its target left
    if not total or not rows or rows[0].get("avail_mem_gib") is None:
        return None
    free = float(rows[0]["avail_mem_gib"])
    if free > _TAKEN * total[0].value:
        return None
    return f"only {free:.2f} of {total[0].value:.2f} GiB were free before the weights", (rows[0].ref, root.decisive)


def _before(case: Case, root: Failure) -> tuple[LineRef, ...]:
    """The free memory that the rank printed before its load."""
    rows = [row for row in case.launch.rows("load_weight") if row.get("kind") == "begin" and row.rank == root.rank]
    return tuple(row.ref for row in rows[:1])


def _made(case: Case, weight: float, told: str, lines: tuple[LineRef, ...]) -> Hypothesis:
    links: Chain = chain(case, case.root, told) if case.root else ((lines[0], told),)
    return Hypothesis(
        cause="device_shared",
        weight=weight,
        sentence=f"Somebody else holds, or held, the device: {told}.",
        evidence=tuple(dict.fromkeys(lines)),
        confidence="likely",
        fraction=WAY,
        chain=links,
        missing=("`nvidia-smi` (or its equivalent) at that moment: which processes hold memory",),
        actions=(
            Action(
                do="Find and end the other process (a leftover server of an earlier start first), then start again.",
                why="Every size is computed from the memory that is free at the start.",
                verify="All ranks print the same free memory at `Load weight begin`.",
            ),
            if_it_stays(case),
        ),
        at=lines[0],
    )
