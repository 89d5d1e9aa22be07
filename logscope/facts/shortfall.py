"""What an allocation lacked, and how far the static fraction must go down to free as much.

A fraction f reserves f · T, with T the free memory before the weights (on MLX: when the pool was sized), so a step d of
it frees d · T. Where no line prints T, the size of the device stands for it: T is no larger, so the step is no smaller.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass

from logscope.errors import FactMissing, NotChecked
from logscope.facts import allocator, mlx
from logscope.facts.budget import budget
from logscope.facts.failures import Failure
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What was asked for and what was free, as the allocator printed them, and what the fraction multiplies; GiB."""

    requested: Quantity
    free: Quantity
    base: Quantity

    @property
    def missing(self) -> Interval:
        return (self.requested.interval - self.free.interval).at_least(0)

    @property
    def share(self) -> Interval:
        """By how much the fraction must go down for the allocation to fit."""
        return self.missing / self.base.interval

    def told(self, fraction: float) -> str:
        """The greatest fraction at which it would have fitted, as an equation."""
        return (
            f"{fraction - self.share.mid:.4f} = {fraction:g} − ({self.requested.value:.2f} asked − "
            f"{self.free.value:.2f} free) / {self.base.value:.2f} GiB"
        )


def shortfall(launch: Launch, failed: Iterable[Failure]) -> Shortfall:
    """The largest of these failures; raises FactMissing where none of them lacked memory by its own numbers."""
    found = [one for failure in failed if "allocator_failure" in failure.marks for one in _of(launch, failure)]
    if not found:
        raise FactMissing("no allocator of a device prints that it was asked for more than was free")
    return max(found, key=lambda one: one.missing.hi)


def _of(launch: Launch, failure: Failure) -> list[Shortfall]:
    row = allocator.sentence(failure)
    printed = {size.name: size for size in allocator.sizes(row, "requested", "free", "total")}
    if allocator.of_host(row) or not {"requested", "free"} <= set(printed):
        return []
    base = _base(launch) or printed.get("total")
    if base is None or base.interval.lo <= 0:
        return []
    one = Shortfall(printed["requested"], printed["free"], base)
    return [one] if one.missing.mid > 0 else []


def _base(launch: Launch) -> Quantity | None:
    """What the fraction multiplies, where the log prints it."""
    with contextlib.suppress(NotChecked):
        return mlx.sizing(launch).available
    with contextlib.suppress(NotChecked):
        return budget(launch).before
    return None
