"""The new-token ratio is no share.

What it says
    A ratio of a retraction line lies outside 0 to 1.

Why it matters
    It is the share of max_new_tokens that running requests are expected to use; the server clips it.

Example
    #new_token_ratio: 0.5420 -> 1.8731.

Silent when
    Nothing was retracted, or the ratios lie between 0 and 1.

Source
    `ScheduleBatch.retract_decode`; `Scheduler.new_token_ratio`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Interval
from logscope.rules._compared import compared

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    names = ("new_token_ratio_before", "new_token_ratio_after")
    rows = [(row, name) for row in launch.rows("retraction") for name in names if row.get(name) is not None]
    if not rows:
        raise FactMissing("no retraction prints its ratio")
    for row, name in rows:
        if not 0 <= row[name] <= 1:
            return compared(
                f"A ratio of {row[name]:.4f} is no share.", row.quantity(name), Interval(0.0, 1.0), "clipped to 0 … 1"
            )
    return None
