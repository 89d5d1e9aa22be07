"""What refusals print beside their sentence: the rest of the budget, and what two refused starts tell together.

rest = after − before · (1 − f): two starts of one model with different fractions give `before` as the slope, without
any line of free memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from logscope.errors import NotChecked
from logscope.facts.budget import stated_fraction
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

_REST = re.compile(r"total_rest_memory=(-?[\d.]+) ?GB")


def rest_of(row: Row) -> float | None:
    """The rest in GiB that the message prints, if it does."""
    found = _REST.search(str(row.get("text", "")))
    return float(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Slope:
    """Two refused starts: fractions and rests in order, the free memory before the weights, where the rest is zero."""

    fractions: tuple[float, float]
    rests: tuple[float, float]
    before: float
    zero: float
    lines: tuple[LineRef, ...]

    @property
    def wrong_way(self) -> bool:
        return self.fractions[1] < self.fractions[0]


def slope(launches: Sequence[Launch]) -> Slope | None:
    """The last two refused starts of this log with different fractions, if there are two."""
    points: list[tuple[float, float, LineRef]] = []
    for launch in launches:
        for row in launch.rows("budget_refused"):
            rest = rest_of(row)
            try:
                fraction = stated_fraction(launch).value
            except NotChecked:
                continue
            if rest is not None:
                points.append((fraction, rest, row.ref))
                break
    for one, two in reversed(list(pairwise(points))):
        if one[0] != two[0]:
            before = (two[1] - one[1]) / (two[0] - one[0])
            if before > 0:
                return Slope((one[0], two[0]), (one[1], two[1]), before, one[0] - one[1] / before, (one[2], two[2]))
    return None
