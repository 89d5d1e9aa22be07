"""A retraction gained less than nothing.

What it says
    #new_tokens_gained of a retraction is negative.

Why it matters
    Giving requests back frees slots. A negative gain is an error of accounting; the idle check will find it.

Example
    #retracted_reqs: 2, #new_tokens_gained: -93.

Silent when
    Nothing was retracted, the release prints no gain, or it is positive.

Source
    `ScheduleBatch.retract_decode`, 0.5.7 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("retraction") if row.get("gained_tokens") is not None]
    if not rows:
        raise FactMissing("no retraction prints what it gained")
    wrong = [row for row in rows if row["gained_tokens"] < 0]
    if not wrong:
        return None
    return compared(
        f"Retracting {wrong[0]['retracted_requests']:,} requests gained {wrong[0]['gained_tokens']:,} tokens.",
        wrong[0].quantity("gained_tokens"),
        at_least(0.0),
        "what requests held becomes free",
    )
