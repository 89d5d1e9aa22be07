"""A kernel asks for more shared memory than a multiprocessor has.

What it says
    The text `out of resource: shared memory` with what is required and the limit.

Why it matters
    Shared memory belongs to the chip: neither the fraction nor the pool touches it. Another attention backend or
    kernel configuration does.

Example
    Required: 147456, Hardware limit: 101376.

Silent when
    No kernel complained, or what it requires fits.

Source
    Triton `OutOfResources`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, compared

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [
        row
        for row in launch.rows("kernel_resource")
        if row.get("required_bytes") is not None and row.get("limit_bytes") is not None
    ]
    if not rows:
        raise FactMissing("no kernel ran out of a resource")
    row = rows[0]
    if row["required_bytes"] <= row["limit_bytes"]:
        return None
    return compared(
        f"A kernel needs {row['required_bytes']:,} bytes of shared memory and the chip has {row['limit_bytes']:,}.",
        row.quantity("required_bytes"),
        at_most(float(row["limit_bytes"])),
        "limit of the chip",
    )
