"""The pool changed between two starts by what the free memory changed.

What it says
    Two starts with one configuration have pools of different size, and the difference is ΔA − (1 − fraction) · ΔT.

Why it matters
    The machine changed, not the server: the pool is a share of a snapshot. An explicit --max-total-tokens makes it
    reproducible.

Example
    10 GiB less free before and after the weights give 8.5 GiB less pool at 0.85.

Silent when
    One start only, a cap decides, the pools are alike, or the difference has another reason.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool` (0.5.16 and later `mem_cache/kv_cache_configurator.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.errors import FactMissing, NotChecked
from logscope.facts import memory, pools, settings
from logscope.facts.starts_of_model import pairs
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity

SEVERITY = "note"
KIND = "smell"
_LEAST_GIB = 0.1


def check(launches: Sequence[Launch]) -> Finding | None:
    """The first two starts that differ by their free memory."""
    judged = 0
    for a, b in pairs(launches):
        try:
            one, two = _reading(a), _reading(b)
        except NotChecked:
            continue
        if a.arguments.get("mem_fraction_static") != b.arguments.get("mem_fraction_static"):
            continue
        judged += 1
        kept = 1 - settings.number(a, "mem_fraction_static").value
        wanted = (two[1].interval - one[1].interval) - kept * (two[0].interval - one[0].interval)
        moved = two[2].interval - one[2].interval
        if moved.distance(0.0) > _LEAST_GIB and moved.distance(wanted) <= 0.05:
            message = f"The pool of launch {b.id} is {two[2].value:.2f} GiB and that of launch {a.id} {one[2].value:.2f} GiB with the same configuration: {two[0].value:.2f} in place of {one[0].value:.2f} GiB were free before the weights."
            lines = [q.line for q in (two[2], one[2], two[0], one[0]) if q.line]
            return Finding(message=message, evidence=tuple(lines), launches=(a.id, b.id), rank=two[2].rank)
    if not judged:
        raise FactMissing("no two starts of one configuration print their memory")
    return None


def _reading(launch: Launch) -> tuple[Quantity, Quantity, Quantity]:
    why = "no rank prints its memory"
    for name in launch.ranks:
        rank = launch.rank(name)
        try:
            return memory.available_before_load(rank), memory.available_after_load(rank), pools.size(rank)
        except NotChecked as reason:
            why = str(reason)
    raise FactMissing(why)
