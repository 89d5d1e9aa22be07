"""The lines of a second model do not balance.

What it says
    free before − free after a draft model differs from the printed usage by more than rounding.

Why it matters
    The three numbers are printed from two readings: lines of two ranks or starts are paired, or a number was
    edited.

Example
    10.00 GB before, 8.00 GB after, mem usage 1.20 GB.

Silent when
    One model only, no usage is printed, or the lines balance.

Source
    `ModelRunner.load_model`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import memory
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import contradiction, judged

SEVERITY = "error"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "load_weight", _of)


def _of(rank: Rank) -> Finding | None:
    for load in memory.loads(rank)[1:]:
        if load.end.get("mem_usage_gib") is None or load.begin.get("avail_mem_gib") is None:
            continue
        used = load.begin.quantity("avail_mem_gib").interval - load.end.quantity("avail_mem_gib").interval
        printed = load.end.quantity("mem_usage_gib")
        if printed.interval.disjoint(used):
            return contradiction(
                f"The second model took {printed.value:.2f} GiB by its own line, and {used.mid:.2f} GiB by the free memory before and after it.",
                printed,
                used,
                "avail mem (begin) − avail mem (end)",
                load.begin.ref,
            )
    if len(memory.loads(rank)) < 2:
        raise FactMissing(f"{rank.name} loaded no second model")
    return None
