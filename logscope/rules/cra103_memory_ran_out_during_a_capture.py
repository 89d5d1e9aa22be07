"""Device memory ran out while graphs were captured.

What it says
    An allocation failed between the begin and the end of a capture.

Why it matters
    Graphs come out of what the fraction leaves. Fewer or smaller captured batches come first, then a smaller
    fraction, as long as it stays above the floor of the weights.

Example
    CUDA out of memory inside Capture cuda graph begin.

Silent when
    No device allocation failed, or it failed elsewhere.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.allocator import of_host
from logscope.facts.failures import failures
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = [
        f
        for f in failures(launch)
        if "allocator_failure" in f.marks and not f.follows and not of_host(f.marks["allocator_failure"])
    ]
    if not found:
        raise FactMissing("no allocator of a device failed")

    inside = [f for f in found if f.phase == "capture"]
    if not inside:
        return None
    return Finding(
        message="An allocation failed during the capture of graphs, which comes out of what the fraction leaves.",
        evidence=(inside[0].decisive,),
        rank=inside[0].rank,
    )
