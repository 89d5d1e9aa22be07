"""A cap was reported as too large although it is smaller than the profile.

What it says
    `max_total_tokens=X is larger than the profiled value Y` with X not above Y.

Why it matters
    The sentence is printed only for X > Y: a number was edited.

Example
    max_total_tokens=100000 is larger than the profiled value 192406.

Silent when
    The sentence is not in the log, or X is larger.

Source
    `ModelRunner.init_memory_pool`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, contradiction

SEVERITY = "warning"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("kv_pool") if row.get("kind") == "profiled"]
    if not rows:
        raise FactMissing("no cap was reported as too large")
    wrong = [row for row in rows if row["requested_tokens"] <= row["tokens"]]
    if not wrong:
        return None
    row = wrong[0]
    return contradiction(
        f"A cap of {row['requested_tokens']:,} tokens is reported as larger than {row['tokens']:,}.",
        row.quantity("requested_tokens"),
        at_least(row["tokens"] + 1.0),
        "reported: larger than the profiled value",
    )
