"""Requests wait at the limit that speculation sets by default.

What it says
    The server reset max_running_requests for speculation, and requests queued while that many ran.

Why it matters
    48 (32 in some releases) is a default, not what the pool can hold: a flag raises it, a larger fraction does not.

Example
    Max running requests is reset to 48, then #running-req: 48, #queue-req: 120.

Silent when
    The limit was given, or no request waited at it.

Source
    `ServerArgs.__post_init__` (`_handle_speculative_decoding`).
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The fullest line at the limit."""
    rows = [row for row in launch.rows("limit_notice") if row.get("kind") == "reset"]
    if not rows:
        raise FactMissing("the server did not reset the limit for speculation")
    limit = rows[-1].quantity("max_running_requests")
    running = batches.column(launch, "decode_batch", "running_requests")
    queued = batches.column(launch, "decode_batch", "queued_requests")
    held = (running >= limit.value) & (queued > 0)
    if not held.any():
        return None
    row = batches.row(launch, "decode_batch", int(np.argmax(np.where(held, queued, -1))))
    return Finding(
        message=f"{row['queued_requests']:,} requests wait while {row['running_requests']:,} run: {limit.value:.0f} is the default of speculation.",
        evidence=tuple(line for line in (row.ref, limit.line) if line),
        rank=row.rank,
    )
