"""A workspace of fixed size was too small.

What it says
    An AlignedAllocator of the attention kernels says that its buffer does not hold what it needs.

Why it matters
    The buffer has a size of its own, whatever is free: the fraction plays no part. A larger workspace (an
    environment variable) or a shorter chunk does.

Example
    Failed to allocate memory for batch_prefill_tmp_v with size 67108864 … in AlignedAllocator.

Silent when
    No allocator failed, or another one did.

Source
    flashinfer `AlignedAllocator`; `SGLANG_FLASHINFER_WORKSPACE_SIZE`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if not launch.has("allocator_failure"):
        raise FactMissing("no allocator failed")
    rows = [
        row
        for row in launch.rows("allocator_failure")
        if "aligned" in str(row.get("backend", "")).lower() or "flashinfer" in str(row.get("backend", "")).lower()
    ]
    if not rows:
        return None
    return Finding(
        message="A workspace of fixed size did not hold what the kernel needs; neither the fraction nor free memory plays a part.",
        evidence=(rows[0].ref,),
        rank=rows[0].rank,
    )
