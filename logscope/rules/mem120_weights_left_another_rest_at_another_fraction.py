"""The memory after the weights differs between starts that differ in their fraction only.

What it says
    Two starts of one model began with the same free memory, and what is free after the weights differs by more than
    0.3 GiB.

Why it matters
    The fraction does not change what the weights take: something else changed between the starts, so that comparing
    their fractions says little.

Example
    21.70 GB free after the weights at 0.55, 18.20 GB at 0.50.

Silent when
    One start only, the free memory before the weights differs already, or the rest is alike.

Source
    `ModelRunner.load_model`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logscope.errors import FactMissing, NotChecked
from logscope.facts.budget import budget
from logscope.facts.starts_of_model import pairs
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import compared

SEVERITY = "note"
KIND = "smell"
_ALIKE_GIB = 0.3


def check(launches: Sequence[Launch]) -> Finding | None:
    """The first two starts that differ."""
    judged = 0
    for a, b in pairs(launches):
        try:
            one, two = budget(a), budget(b)
        except NotChecked:
            continue
        if one.before.interval.distance(two.before.interval) > _ALIKE_GIB or one.before.rank != two.before.rank:
            continue
        judged += 1
        if one.after.interval.distance(two.after.interval) > _ALIKE_GIB:
            message = f"{two.after.value:.2f} GiB are free after the weights of launch {b.id} and {one.after.value:.2f} GiB after those of launch {a.id}, with the same memory before them."
            made = compared(
                message,
                two.after,
                one.after.interval,
                "free after the weights of the earlier start",
                one.after.line,
                two.before.line,
                one.before.line,
            )
            return replace(made, launches=(a.id, b.id))
    if not judged:
        raise FactMissing("no two starts of one model began with the same free memory")
    return None
