"""Device memory ran out beside a pool that was less than half used.

What it says
    An allocation outside the pool failed while serving; the last decode line shows a usage below one half.

Why it matters
    The pool is allocated in full whatever its usage: its emptiness is no free memory. What failed competes with the
    pool, so the fraction must go down, not up.

Example
    token usage: 0.05, then CUDA out of memory.

Silent when
    No device allocation failed while serving, no decode line stands before, or the pool was fuller.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import batches
from logscope.facts.allocator import on_cpu, on_device, sentence
from logscope.facts.last_batch import last_batch
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = on_device(launch)
    served = [f for f in found if f.phase in ("serving", "warm_up")]
    if not served:
        raise NotApplicable("the allocation failed before the server served")
    last = last_batch(launch, "decode_batch", served[0])
    share = batches.share_of(last)
    if share >= 0.5:
        return None
    return Finding(
        message=f"{'The host' if on_cpu(sentence(served[0])) else 'The device'} ran out of memory while {100 * share:.0f} % of the pool was used: the pool is allocated whole, and what failed lies outside it.",
        evidence=(served[0].decisive, last.ref),
        rank=served[0].rank,
    )
