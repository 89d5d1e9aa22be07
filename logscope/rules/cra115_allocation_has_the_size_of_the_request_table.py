"""The failed allocation has the size of the request table.

What it says
    What was asked for is (requests + 1) · (context + 4) · 4 bytes.

Why it matters
    The table grows with the context and the number of requests and lies beside the static budget: lower one of
    them; a larger fraction makes it worse.

Example
    80.04 GiB are 2,049 requests of 10,485,764 tokens.

Silent when
    No device allocation failed, the context is not printed, or its size is another one.

Source
    `ReqToTokenPool.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotChecked
from logscope.facts import allocator, device_memory, request_table
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = device_memory.failures_of_devices(launch)
    if not rows:
        raise FactMissing("no allocator of a device failed")

    for row in rows:
        for asked in allocator.sizes(row, "requested"):
            if asked.value < 0.25:
                continue
            try:
                table = request_table.explained(launch, asked)
            except NotChecked:
                continue
            known = {row["context_len"] for row in launch.rows("capacity") if row.get("context_len") is not None}
            given = launch.arguments.get("context_length")
            if table.context not in known | {given}:
                continue
            return Finding(
                message=f"{asked.value:.2f} GiB are the table of {table.requests:,} requests of {table.context:,} tokens: (requests + 1) · (context + 4) · 4 bytes.",
                evidence=(row.ref,),
                rank=row.rank,
            )
    return None
