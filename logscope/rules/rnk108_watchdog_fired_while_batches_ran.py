"""A watchdog fired although its rank ran batches.

What it says
    A batch line of the rank stands within the timeout before the watchdog of its scheduler.

Why it matters
    It fires when no forward began for longer than the timeout: the lines belong to another rank or server, or a
    clock jumped.

Example
    Timeout 300 s at 12:10:00, a decode line at 12:09:30.

Silent when
    No scheduler watchdog fired, a soft one, no clock is printed, or the silence is long enough.

Source
    `Scheduler.watchdog_thread`, `utils/watchdog.py`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.facts.states import last_batch_at
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "warning"
KIND = "mismatch"
_CLOCK_S = 5.0


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "watchdog", _of)


def _of(rank: Rank) -> Finding | None:
    rows = [
        row
        for row in rank.rows("watchdog")
        if row.get("kind") == "timeout" and row.get("timeout_s") and not row.get("soft")
    ]
    rows = [row for row in rows if "cheduler" in str(row.get("watched", "Scheduler"))]
    if not rows:
        raise FactMissing(f"no watchdog of {rank.name} fired")
    fired = rows[0].time
    silence = fired - last_batch_at(rank, fired)
    limit = float(rows[0]["timeout_s"])
    if silence >= limit - _CLOCK_S:
        return None
    observed = Quantity("silence", silence, Interval(silence - 1, silence + 1), "s", rows[0].ref, "computed", rank.name)
    return compared(
        f"The watchdog allows {limit:.0f} s and fired {silence:.0f} s after a batch line of its own rank.",
        observed,
        at_least(limit),
        "watchdog_timeout",
        *[
            batches.ref(rank, name, int(np.searchsorted(batches.times(rank, name), fired, side="right")) - 1)
            for name in ("decode_batch", "prefill_batch")
            if rank.table(name).num_rows
        ][:1],
    )
