"""The rhythm of batch lines: how long apart they usually are, and how evenly.

Printed throughput is tokens since the line before ÷ wall time since then, so the rhythm tells what a printed rate is
worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.launch import Launch, Rank


@dataclass(frozen=True, slots=True)
class Cadence:
    """Median interval of the lines and its relative spread (median absolute deviation ÷ median)."""

    lines: int
    median_s: float
    spread: float

    @property
    def steady(self) -> bool:
        """Whether the lines come like a clock: at least five, within a tenth of each other."""
        return self.lines >= 5 and self.spread <= 0.1


def cadence(subject: Rank | Launch, table: str) -> Cadence:
    """The rhythm of one family; raises FactMissing with fewer than three timed lines."""
    gaps = np.diff(batches.times(subject, table))
    gaps = gaps[np.isfinite(gaps)]
    if len(gaps) < 2:
        raise FactMissing(f"fewer than three {table} lines have a time")
    median = float(np.median(gaps))
    spread = float(np.median(np.abs(gaps - median))) / median if median > 0 else float("inf")
    return Cadence(len(gaps) + 1, median, spread)
