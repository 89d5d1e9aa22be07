"""A later start finds the memory of an earlier one taken.

What it says
    Less is free before the weights than at the start before, by about what that start had taken.

Why it matters
    The earlier server still lives (its port may be in use as well): end it. A smaller fraction only hides it.

Example
    78.40 GB free at the first start, 12.10 GB at the second.

Silent when
    One start only, or as much is free.

Source
    `get_available_gpu_memory`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from logscope.errors import FactMissing, NotChecked
from logscope.facts.budget import budget
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "note"
KIND = "smell"


def check(launches: Sequence[Launch]) -> Finding | None:
    """The first start that found less."""
    known = []
    for launch in launches:
        try:
            known.append((launch, budget(launch).before))
        except NotChecked:
            continue
    if len(known) < 2:
        raise FactMissing("fewer than two starts print what was free before their weights")
    for (a, one), (b, two) in pairwise(known):
        share = a.arguments.get("mem_fraction_static")
        taken = one.value * (float(share) if isinstance(share, float) else 0.8)
        if one.rank == two.rank and one.value - two.value >= 0.5 * taken and a.path == b.path:
            message = f"{two.value:.2f} GiB were free before the weights of launch {b.id}, {one.value:.2f} GiB before those of launch {a.id}: the earlier server still holds its memory."
            return replace(
                compared(
                    message,
                    two,
                    at_least(one.value - 0.5 * taken),
                    "free before the earlier start, less half of what it took",
                    one.line,
                ),
                launches=(a.id, b.id),
            )
    return None
