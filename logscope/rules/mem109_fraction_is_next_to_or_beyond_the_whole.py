"""The static fraction is next to or beyond the whole.

What it says
    mem_fraction_static is 0 or less, 1 or more, or above 0.95.

Why it matters
    What the fraction leaves is all that activations, graphs and the request table have. From 1 on the pool takes
    everything, and the first forward fails.

Example
    mem_fraction_static=0.97 leaves 2.4 GiB of 80.

Silent when
    No dump sets it, the pool is sized after the capture of graphs, or it is between 0 and 0.95.

Source
    `ServerArgs.mem_fraction_static`.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.errors import NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Interval
from logscope.rules._compared import compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = settings.number(launch, "mem_fraction_static", "share")
    if launch.has("kv_pool") and any(
        str(row.get("kind", "")).startswith("post_capture") for row in launch.rows("kv_pool")
    ):
        raise NotApplicable("the pool is sized after the capture of graphs")
    if 0 < found.value <= 0.95:
        return None
    made = compared(
        f"mem_fraction_static is {found.value:g}: it leaves {100 * (1 - found.value):.1f} % of the device for everything that is not weights or pool.",
        found,
        Interval(0.0, 0.95),
        "0 < mem_fraction_static ≤ 0.95",
    )
    return replace(made, severity="note" if 0 < found.value < 1 else "warning")
