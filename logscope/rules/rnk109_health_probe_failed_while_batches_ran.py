"""A health check failed while batches ran.

What it says
    Batch lines stand within the 20 seconds before `Health check failed`.

Why it matters
    The scheduler works: the detokenizer or the front end gets no time, or is stuck. Restarting the server for it
    loses the work.

Example
    A decode line every 2 s, and a failed check in between.

Silent when
    No health check failed, no clock is printed, or no batch ran.

Source
    `http_server.health_generate`.
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
    """The first line that shows it."""
    rows = [row for row in launch.rows("health_check") if row.get("limit_s") is not None]
    if not rows:
        raise FactMissing("no health check failed")
    times = batches.times(launch, "decode_batch")
    for row in rows:
        near = np.flatnonzero((times <= row.time) & (times >= row.time - row["limit_s"]))
        if near.size >= 2:
            return Finding(
                message=f"A health check failed while {near.size} decode lines were printed in its {row['limit_s']:.0f} s: the device works, the way back does not.",
                evidence=(row.ref, batches.ref(launch, "decode_batch", int(near[-1]))),
            )
    return None
