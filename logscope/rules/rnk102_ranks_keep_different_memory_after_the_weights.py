"""Ranks keep different amounts of memory after the weights.

What it says
    Free memory after the weights differs by more than 1 GiB among the tensor-parallel ranks.

Why it matters
    The least one sizes the pool of all: what the others have more is stranded. Free that device; the fraction is
    not at fault.

Example
    TP0: 63.40 GB, TP3: 60.10 GB: 9.9 GiB are stranded on three ranks.

Silent when
    One rank, stages, or they differ by less.

Source
    `get_available_gpu_memory(distributed=True)`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import memory, settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if settings.size(launch, "pp_size") > 1:
        raise NotApplicable("stages hold different layers")
    found = [memory.available_after_load(launch.rank(name)) for name in launch.ranks if memory.loads(launch.rank(name))]
    if len(found) < 2:
        raise FactMissing("fewer than two ranks print their memory after the weights")
    least, most = min(found, key=lambda q: q.value), max(found, key=lambda q: q.value)
    if most.value - least.value <= 1.0:
        return None
    stranded = sum(q.value - least.value for q in found)
    return compared(
        f"{least.rank} keeps {least.value:.2f} GiB after the weights and {most.rank} {most.value:.2f} GiB: {stranded:.1f} GiB of all ranks cannot be used.",
        least,
        at_least(most.interval.lo - 1.0),
        "free after the weights on the other ranks",
        most.line,
    )
