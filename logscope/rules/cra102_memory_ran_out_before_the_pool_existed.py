"""Device memory ran out while the weights were loaded.

What it says
    An allocation failed before the pool was made.

Why it matters
    The fraction sizes the pool, which does not exist yet: no value of it helps. More ranks, quantised weights,
    offloading or ending another process do.

Example
    CUDA out of memory between Load weight begin and Load weight end.

Silent when
    No device allocation failed, or it failed later.

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
    begun = {row.rank for row in launch.rows("load_weight") if row.get("kind") == "begin"}
    ended = {row.rank for row in launch.rows("load_weight") if row.get("kind") == "end"}
    loading = begun - ended
    early = [f for f in found if f.phase == "load" and (f.rank in loading or f.in_frames("load_model", "load_weights"))]
    if not early:
        return None
    return Finding(
        message="An allocation failed while the weights were loaded: there is no pool yet, and the fraction has no influence.",
        evidence=(early[0].decisive,),
        rank=early[0].rank,
    )
