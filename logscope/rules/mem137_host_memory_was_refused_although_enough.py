"""Host memory was refused although there was enough.

What it says
    `Requesting X GB but only have Y GB free` with X not above Y.

Why it matters
    From 0.4.9.post6 on Y is what may be used, so X must be larger; before, a reserve of 10.74 GB is not subtracted
    in the text.

Example
    Requesting 20.00 GB but only have 31.20 GB free.

Silent when
    No host memory was refused, older releases with X above Y − 10.74, or X is larger.

Source
    `HostKVCache.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "mismatch"
_RESERVE_GB = 10.74


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [
        row
        for row in launch.rows("budget_refused")
        if row.get("requested_gb") is not None and row.get("free_gb") is not None
    ]
    if not rows:
        raise FactMissing("no host memory was refused")
    reserve = 0.0 if launch.release.since("0.4.9.post6") else _RESERVE_GB
    row = rows[0]
    asked, free = row.quantity("requested_gb"), row.quantity("free_gb")
    if asked.interval.hi >= free.interval.lo - reserve:
        return None
    return compared(
        f"{asked.value:.2f} GB of host memory were refused, and {free.value:.2f} GB are free.",
        asked,
        at_least(free.interval.lo - reserve),
        "refused: more than what is free",
    )
