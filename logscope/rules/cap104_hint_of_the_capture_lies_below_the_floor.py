"""The fraction that the failed capture hints at lies below the floor of the weights.

What it says
    A capture failed, its hint says 0.8 or 0.7, and the weights need more than that.

Why it matters
    The hint is printed whatever failed and whatever the weights take: a start at that value is refused. The window
    lies between the floor and the present fraction; a smaller --cuda-graph-max-bs comes first.

Example
    Floor 0.769, hint 0.7.

Silent when
    No capture failed, the lines around the weights are missing, or 0.7 is above the floor.

Source
    `CudaGraphRunner.__init__` (the text of the exception).
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.budget import budget
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "smell"
_HINTED = 0.7


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("graph_failure") if row.get("kind") == "error"]
    if not rows:
        raise FactMissing("no capture failed")
    floor = budget(launch).floor
    if floor.lo <= _HINTED:
        return None
    observed = Quantity(
        "hinted_fraction", _HINTED, Interval.exact(_HINTED), "share", rows[0].ref, "printed", rows[0].rank
    )
    return compared(
        f"The hint of the failed capture goes down to {_HINTED:g}, and below {floor.mid:.3f} the weights leave nothing.",
        observed,
        at_least(floor.lo),
        "1 − avail_after_load ÷ avail_before_load",
        budget(launch).after.line,
        budget(launch).before.line,
    )
