"""Findings that compare a number with what it should be, and rules that are asked of every rank that printed lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from logscope.errors import FactMissing, NotChecked
from logscope.finding import Finding, Gap
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, LineRef, Quantity

_BOUND = 0.1
"""An interval wider than this share of its middle is a range that is allowed, not a value that was computed."""


def compared(
    message: str, observed: Quantity, computed: Interval | float, equation: str, *lines: LineRef | None
) -> Finding:
    """A finding with what was printed, what other lines compute, how far they lie apart and what rounding explains."""
    wanted = computed if isinstance(computed, Interval) else Interval.exact(computed)
    printed = observed.interval
    nearest = min(max(observed.value, wanted.lo), wanted.hi)
    if wanted.finite and wanted.width <= _BOUND * abs(wanted.mid):
        other = Quantity.computed(observed.name, wanted, observed.unit, equation, observed.rank)
        gap = Gap(abs(printed.mid - wanted.mid), (printed.width + wanted.width) / 2, observed.unit)
    else:
        other = Quantity(observed.name, nearest, wanted, observed.unit, None, "computed", observed.rank, equation)
        gap = Gap(abs(observed.value - nearest), printed.width / 2, observed.unit)
    evidence = tuple(dict.fromkeys(line for line in (observed.line, *lines) if line is not None))
    return Finding(
        message=message,
        evidence=evidence,
        observed=observed,
        computed=other,
        gap=gap,
        rank=observed.rank,
    )


def contradiction(
    message: str, observed: Quantity, computed: Interval | float, equation: str, *lines: LineRef | None
) -> Finding:
    """The same where the lines exclude each other: such a finding is a root by itself."""
    return replace(compared(message, observed, computed, equation, *lines), role="root")


def at_most(value: float) -> Interval:
    """Every number up to this one."""
    return Interval(float("-inf"), value)


def at_least(value: float) -> Interval:
    """Every number from this one on."""
    return Interval(value, float("inf"))


def judged(launch: Launch, table: str, judge: Callable[[Rank], Finding | None]) -> Finding | None:
    """The finding of the first rank that shows it, of those that printed this table; ranks that lack a fact are passed.

    Raises FactMissing when no rank can be judged.
    """
    found: list[Finding] = []
    why = f"there is no {table} line"
    asked = 0
    for name in launch.ranks:
        rank = launch.rank(name)
        if not rank.table(table).num_rows:
            continue
        try:
            made = judge(rank)
        except NotChecked as reason:
            why = str(reason)
            continue
        asked += 1
        if made is not None:
            found.append(replace(made, rank=made.rank or name))
    if not asked:
        raise FactMissing(why)
    if not found:
        return None
    others = f" The same on {len(found) - 1} more ranks." if len(found) > 1 else ""
    return replace(found[0], message=found[0].message + others)
