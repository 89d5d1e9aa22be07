"""A start was refused although the budget leaves something.

What it says
    rest = after − before · (1 − fraction) is above zero on every rank of this log, and the start was refused for
    memory.

Why it matters
    Another rank has less, the fraction was lowered behind the printed one (aiter, multimodal), or states and
    reserves of the model took the rest: the weights do fit.

Example
    21.70 GB after and 94.00 GB before the weights at 0.80: 2.90 GiB are left.

Silent when
    The start was not refused, the free memory around the weights is not in the log, or nothing is left.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool` (0.5.16 and later `mem_cache/kv_cache_configurator.py`).
"""

from __future__ import annotations

from logscope.facts.budget import budget, refusal, stated_fraction
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import compared

SEVERITY = "warning"
KIND = "mismatch"
_LEAST_GIB = 0.05


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    refused = refusal(launch)
    found = budget(launch)
    fraction = stated_fraction(launch)
    rest = found.rest(fraction.value)
    if rest.lo <= _LEAST_GIB:
        return None
    observed = Quantity("kv_pool_possible", 0.0, Interval.exact(0.0), "GiB", refused.ref, "printed", refused.rank)
    return compared(
        f"{rest.mid:.2f} GiB are left for the pool at {fraction.value:g}, and the start was refused: another rank has less, or states, a reserve or a hidden factor took them.",
        observed,
        rest,
        "avail_after_load − avail_before_load · (1 − mem_fraction_static)",
        found.after.line,
        found.before.line,
        fraction.line,
    )
