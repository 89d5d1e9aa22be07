"""Device memory ran out in a decode step that ran without a graph.

What it says
    The last batch line before the failure is a decode that did not run in a graph.

Why it matters
    Without a graph activations are allocated step by step and grow with the batch. Captured sizes that cover the
    running requests, or a smaller fraction, help.

Example
    #running-req: 148, cuda graph: False, then CUDA out of memory.

Silent when
    No device allocation failed while serving, the last batch was a prefill, or it ran in a graph.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.facts.allocator import on_device
from logscope.facts.last_batch import last_of_both
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = on_device(launch)
    served = [f for f in found if f.phase == "serving"]
    if not served or not launch.has("decode_batch"):
        raise FactMissing("no allocation failed in a decode")
    row = last_of_both(launch, served[0])
    if row.table == "prefill_batch":
        raise NotApplicable("the last batch was a prefill")
    if row["graph"] or settings.set_to(launch, "disable_cuda_graph") or settings.shared_memory(launch):
        return None
    return Finding(
        message=f"The last batch before the failure is a decode of {row['running_requests']:,} requests without a graph.",
        evidence=(row.ref, served[0].decisive),
        rank=row.rank,
    )
