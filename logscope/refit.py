"""The automatic fraction that a start would have had with other flags.

A dump prints a given and an automatic fraction alike. Taken as automatic, the printed one tells which capacities
the device can have; with each of them the release computes another fraction for other flags.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from logscope.errors import FactMissing, NotChecked
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity
from logscope.sglang import dump
from logscope.sglang.fraction import automatic_fraction, implied_capacities
from logscope.sglang.inputs import Inputs

LIMIT_SHARE = 0.02
"""By how much the working set that MLX reads may differ from the capacity that the fraction was computed from."""
MOVES = ("chunked_prefill_size", "max_running_requests", "max_total_tokens")
"""The flags that an automatic fraction depends on and that a prediction knows."""


def refitted(launch: Launch, changes: Mapping[str, Any], facts: Mapping[str, Quantity]) -> Quantity:
    """The automatic fraction with the changes. Raises FactMissing where the printed one cannot be an automatic one."""
    known = _capacity_mib(facts)
    moved = {name: None if value is None else int(value) for name, value in changes.items() if name in MOVES}
    if not moved or "mem_fraction_static" in changes:
        raise FactMissing("no flag that an automatic fraction depends on is changed")
    printed = launch.argument("mem_fraction_static")
    if not isinstance(printed, int | float):
        raise FactMissing("mem_fraction_static is not set in the arguments")
    found = list(_fractions(launch, float(printed), moved=moved, known=known))
    if not found:
        raise FactMissing(f"{printed} is no automatic fraction of {launch.release}: it was given, and stays")
    values = Interval(min(found), max(found))
    equation = f"the automatic fraction of {launch.release} on a device for which {printed} is automatic"
    return Quantity.computed("mem_fraction_static", values, "share", equation)


def _capacity_mib(facts: Mapping[str, Quantity]) -> Interval:
    """What the log tells of the device's capacity: the working set of a Metal device, else no less than was free."""
    if "mlx_limit" in facts:
        limit = facts["mlx_limit"].interval * 1024.0
        return limit.widened(LIMIT_SHARE * limit.hi)
    if "avail_before_load" in facts:
        return Interval(facts["avail_before_load"].interval.lo * 1024.0, math.inf)
    return Interval(0, math.inf)


def _fractions(launch: Launch, printed: float, *, moved: Mapping[str, int | None], known: Interval) -> Iterator[float]:
    for release in launch.release.releases:
        try:
            inputs = dump.inputs(launch.arguments, release, capacity_mib=None)
            for implied in implied_capacities(release, inputs, printed):
                capacities = implied.meet(known)
                for capacity in _samples(capacities):
                    yield automatic_fraction(release, replace(_with(inputs, moved), capacity_mib=capacity))
        except NotChecked:
            continue


def _samples(capacities: Interval) -> tuple[float, ...]:
    return () if capacities.empty else (capacities.lo, capacities.mid, capacities.hi)


def _with(inputs: Inputs, moved: Mapping[str, int | None]) -> Inputs:
    return replace(
        inputs,
        chunked_prefill_size=moved.get("chunked_prefill_size", inputs.chunked_prefill_size),
        max_running_requests=moved.get("max_running_requests", inputs.max_running_requests),
        max_total_tokens=moved.get("max_total_tokens", inputs.max_total_tokens),
    )
