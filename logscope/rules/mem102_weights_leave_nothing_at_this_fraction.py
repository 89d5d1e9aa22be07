"""The weights leave nothing of the static budget at this fraction.

What it says
    rest = avail_after_load − avail_before_load · (1 − fraction) is zero or less, and the start was refused for it.

Why it matters
    A larger fraction is the only setting that enlarges the rest: the text that says *increase* is right here, and the habit
    that a smaller fraction is safer makes it worse. Below the floor 1 − after ÷ before no start can succeed.

Example
    94.00 GB before and 21.70 GB after the weights at 0.50: rest −25.3 GB, floor 0.769.

Silent when
    The start was not refused, or the log holds no free memory around the weights.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool` (`model_executor/model_runner.py`).
"""

from __future__ import annotations

from logscope.errors import NotChecked
from logscope.facts.budget import budget, refusal, stated_fraction
from logscope.finding import Finding, Gap
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity

SEVERITY = "error"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The refusal with its arithmetic."""
    refused = refusal(launch)
    found = budget(launch)
    fraction = stated_fraction(launch)
    rest = found.rest(fraction.value)
    if found.floor.mid <= 0:
        raise NotChecked(
            "the memory after the weights is printed as no less than before them, so they bound no fraction"
        )
    if rest.lo > 0:
        return None
    computed = Quantity.computed(
        "rest_memory", rest, "GiB", "avail_after_load − avail_before_load · (1 − mem_fraction_static)", found.after.rank
    )
    wanted = Quantity("kv_pool_needed", 0.0, Interval(0.0, float("inf")), "GiB", refused.ref, "printed", refused.rank)
    return Finding(
        message=(
            f"At {fraction.value:g} the rest for the pool is {rest.mid:.2f} GiB: {found.after.value:.2f} GiB free after the weights − "
            f"{found.before.value:.2f} GiB before them · (1 − {fraction.value:g}). No fraction below {found.floor.mid:.4f} can start."
        ),
        evidence=tuple(ref for ref in (refused.ref, found.after.line, found.before.line, fraction.line) if ref),
        observed=wanted,
        computed=computed,
        gap=Gap(abs(rest.mid), rest.width / 2, "GiB"),
        role="root",
        way="raise",
        data={"floor": found.floor.mid, "rest_gib": rest.mid},
    )
