"""Memory ran out while memory or weights came back.

What it says
    An allocation failed while released memory was resumed, or right after weights were updated.

Why it matters
    Two copies, or the pool and what others took meanwhile, do not fit: release before resuming, or lower the
    fraction.

Example
    resume_memory_occupation fails in cuMemCreate.

Silent when
    No device allocation failed, or it failed elsewhere.

Source
    `SchedulerUpdateWeightsMixin`; torch_memory_saver.
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
    inside = [f for f in found if f.phase == "resume" or f.in_frames("update_weights", "resume_memory")]
    if not inside:
        return None
    return Finding(
        message="An allocation failed while memory or weights came back.",
        evidence=(inside[0].decisive,),
        rank=inside[0].rank,
    )
