"""Device memory ran out in or right after a large prefill.

What it says
    The last batch line before the failure is a prefill of at least half a chunk.

Why it matters
    Activations grow with the tokens of a prefill: half the chunk halves them; then lower the fraction a little.

Example
    #new-token: 8192 of a chunk of 8192, then CUDA out of memory.

Silent when
    No device allocation failed while serving, or the last batch was a decode or a small prefill.

Source
    torch `CUDACachingAllocator.cpp` and its siblings.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.allocator import on_device
from logscope.facts.last_batch import last_of_both
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = on_device(launch)
    served = [f for f in found if f.phase in ("serving", "warm_up")]
    chunks = [row["chunked_prefill_size"] for row in launch.rows("capacity") if row.get("chunked_prefill_size", -1) > 0]
    if not served or not chunks:
        raise FactMissing("no allocation failed while serving, or the chunk is not known")
    row = last_of_both(launch, served[0])
    if row.table != "prefill_batch" or row["new_tokens"] < chunks[-1] / 2:
        return None
    return compared(
        f"The last batch before the failure is a prefill of {row['new_tokens']:,} tokens with a chunk of {chunks[-1]:,}.",
        row.quantity("new_tokens"),
        at_most(chunks[-1] / 2),
        "half a chunk",
        served[0].decisive,
    )
