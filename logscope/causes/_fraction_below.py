"""Up to where the static fraction may go when an allocation outside the pool failed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts.budget import budget
from logscope.facts.failures import Failure
from logscope.facts.shortfall import shortfall


def fraction_below(case: Case, failed: Iterable[Failure], *, step: float) -> dict[str, Any]:
    """`hi` a step below what was in force, and so low that what was missing is free; `lo` the floor of the weights.

    Of the ends only those that are known; neither, and `why` says so, where no hundredth lies between them.
    """
    ends: dict[str, Any] = {}
    why: list[str] = []
    stated = case.launch.arguments.get("mem_fraction_static")
    if isinstance(stated, int | float) and not isinstance(stated, bool):
        ends["hi"] = _down(stated - step)
        why.append(f"below the {stated:g} that was in force, in steps of 0.02")
        try:
            lacked = shortfall(case.launch, failed)
            if (enough := _down(stated - lacked.share.hi)) < ends["hi"]:
                ends["hi"] = enough
                why[0] = f"what was missing fits up to {lacked.told(stated)}"
        except NotChecked:
            pass
    try:
        if (floor := budget(case.launch).floor.hi) > 0:
            ends["lo"] = math.ceil(round(floor * 1e4, 6)) / 1e4
            why.append(f"the weights need more than {ends['lo']:g}")
    except NotChecked:
        pass
    if {"lo", "hi"} <= set(ends) and math.floor(round(ends["hi"] * 100, 6)) / 100 <= ends["lo"]:
        return {"why": f"the fraction alone does not suffice: {'; '.join(why)}"}
    return {**ends, "why": "; ".join(why)} if ends else {}


def alone_too_little(span: Mapping[str, Any] | None) -> bool:
    """Whether no value of the fraction gives what was missing."""
    return span is not None and not {"lo", "hi"} & set(span)


def _down(end: float) -> float:
    """Four decimals, never above the end."""
    return math.floor(round(max(end, 0.0) * 1e4, 6)) / 1e4
