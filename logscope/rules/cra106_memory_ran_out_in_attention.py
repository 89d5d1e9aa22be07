"""Device memory ran out in the attention of a long context.

What it says
    The frames of the failed allocation lie in attention, an indexer or a gather of keys and values.

Why it matters
    Such workspaces grow with the longest context, and room in the pool says nothing about them. A shorter chunk or
    context, or a smaller fraction, leaves room.

Example
    A gather over 64,000 tokens with room for 274,934 in the pool.

Silent when
    No device allocation failed, or it failed elsewhere.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.facts.allocator import on_device
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"
_PLACES = ("attention", "indexer", "gather", "flash_attn", "flashinfer", "nsa", "dsa")


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = on_device(launch)
    inside = [f for f in found if f.phase == "serving" and f.in_frames(*_PLACES)]
    if not inside:
        return None
    return Finding(
        message="The allocation failed in attention, whose workspaces grow with the context and lie outside the pool.",
        evidence=(inside[0].decisive,),
        rank=inside[0].rank,
    )
