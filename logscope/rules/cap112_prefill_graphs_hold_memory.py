"""The prefill graphs hold a GiB or more.

What it says
    The capture of prefill (piecewise) graphs used at least 1 GiB.

Why it matters
    It comes out of what the fraction leaves and does not show in the decode capture: after an upgrade it looks like
    a leak. A smaller largest prefill, or no prefill graphs, gives it back.

Example
    mem usage=1.81 GB for prefill graphs.

Silent when
    No prefill graphs are captured, or they take less.

Source
    `PiecewiseCudaGraphRunner`, 0.5.10 and later by default.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import captures
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "graph_capture", _of)


def _of(rank: Rank) -> Finding | None:
    found = [capture for capture in captures.captures(rank) if capture.prefill]
    if not found:
        raise FactMissing(f"{rank.name} captured no prefill graphs")
    took = found[-1].end.quantity("mem_usage_gib")
    if took.interval.hi < 1.0:
        return None
    return compared(
        f"The prefill graphs hold {took.value:.2f} GiB.",
        took,
        at_most(1.0),
        "a GiB of what the fraction leaves",
        found[-1].begin.ref,
    )
