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

from logscope.facts.allocator import on_device
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = on_device(launch)
    inside = [f for f in found if f.phase == "capture"]
    if not inside:
        return None
    return Finding(
        message="An allocation failed during the capture of graphs, which comes out of what the fraction leaves.",
        evidence=(inside[0].decisive,),
        rank=inside[0].rank,
    )
