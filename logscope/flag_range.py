"""Which values of a flag fulfil a condition: the prediction asked backwards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from logscope import whatif
from logscope.condition import Condition
from logscope.errors import FactMissing, UsageError
from logscope.plain import plain
from logscope.quantity import Interval, Quantity
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.solve import propagate

_ENDS = {"mem_fraction_static": (0.0, 1.0)}
"""The ends of what a flag can be, where both have a meaning."""


def solved_for_flag(
    facts: Mapping[str, Quantity],
    setting: Setting,
    changes: whatif.Changes,
    *,
    flag: str,
    wanted: Condition,
    context_tokens: float | None = None,
) -> dict[str, Any]:
    """The range of a flag that fulfils a condition: `lo`, `hi` for certain, `possible` where rounding leaves it open.

    Raises UsageError for a flag or a quantity that is not predicted, FactMissing where the log does not tell enough.
    """
    if flag not in whatif.FLAGS:
        raise UsageError(f"the effect of {flag} is not known; there are {', '.join(whatif.FLAGS)}")
    base = whatif.changed(whatif.baseline(facts, setting, context_tokens=context_tokens), whatif.possible(changes))
    _know(base, wanted)
    possible = _possible(base, flag, wanted)
    answer: dict[str, Any] = {"flag": flag, "wanted": str(wanted)}
    window = whatif.window(base) if flag == "mem_fraction_static" else {}
    if window:
        answer["fraction_range"] = window
        possible = Interval(max(possible.lo, window.get("lo", 0.0)), possible.hi)
    if possible.empty:
        return {**answer, "why": f"no value of {flag} gives {wanted}{_short(base, flag, wanted)}"}
    certain = _certain(base, flag, wanted, possible=possible)
    answer["possible"] = plain({"lo": possible.lo, "hi": possible.hi})
    answer |= plain({"lo": certain.lo, "hi": certain.hi}) if not certain.empty else {}
    return {**answer, "why": _why(answer, window)}


def _know(base: whatif.Baseline, wanted: Condition) -> None:
    if wanted.name not in whatif.OUTPUTS:
        raise UsageError(f"{wanted.name} is not predicted; there are {', '.join(whatif.OUTPUTS)}")
    if wanted.name == "max_total_num_tokens" and "cell_size" not in base.inputs:
        raise FactMissing("the bytes of a token are not known: no pool with its size in this start, and no other helps")


def _possible(base: whatif.Baseline, flag: str, wanted: Condition) -> Interval:
    """The hull of all values of the flag that some reading of the log lets fulfil the condition."""
    inputs = {name: fact for name, fact in base.inputs.items() if name != flag}
    setting = replace(base.setting, capped=base.setting.capped or flag == "max_total_tokens")
    relations = replace(base, setting=setting).relations
    target = Quantity(wanted.name, wanted.value, wanted.interval, _unit(relations, wanted.name))
    solved = propagate({**inputs, wanted.name: target}, relations)
    if solved.conflicts:
        return Interval(math.inf, -math.inf)
    low, high = _ENDS.get(flag, (1.0, math.inf))
    found = solved.values.get(flag)
    return Interval(low, high) if found is None else found.interval.meet(Interval(low, high))


def _short(base: whatif.Baseline, flag: str, wanted: Condition) -> str:
    """Why none does: the cap that sets the pool, else how far the flag reaches with everything else as it is."""
    cap = base.inputs.get("max_total_tokens")
    of_pool = wanted.name == "max_total_num_tokens" and wanted.sense == "≥" and flag != "max_total_tokens"
    if cap is not None and base.setting.capped and of_pool and wanted.value > cap.value:
        told = f": --max-total-tokens caps the pool at {cap.value:,.0f} tokens"
        return f"{told}; take it away with --set max_total_tokens=none"
    reached = [
        outputs[wanted.name].interval
        for end in _ENDS.get(flag, ())
        if wanted.name in (outputs := whatif.predicted(whatif.changed(base, {flag: end})))
    ]
    if not reached:
        return ": with the other flags as they are the start is refused whatever it is"
    if wanted.sense == "≥":
        return f": it reaches {max(one.hi for one in reached):,.6g} at most"
    return f": it stays at {min(one.lo for one in reached):,.6g} at least"


def _unit(relations: Sequence[Relation], name: str) -> str:
    for relation in relations:
        if name in relation.names:
            return relation.variable(name).unit
    raise UsageError(f"{name} is not predicted for this backend")


def _certain(base: whatif.Baseline, flag: str, wanted: Condition, *, possible: Interval) -> Interval:
    """The part of the possible values at which every reading of the log fulfils the condition; found by bisection."""

    def fulfilled(value: float) -> bool:
        outputs = whatif.predicted(whatif.changed(base, {flag: value}))
        return wanted.name in outputs and wanted.certain(outputs[wanted.name].interval)

    lo, hi = possible.lo, possible.hi if math.isfinite(possible.hi) else max(possible.lo * 4, 1e6)
    ends = fulfilled(lo), fulfilled(hi)
    if ends == (True, True):
        return possible
    if ends == (False, False):
        return Interval(math.inf, -math.inf)
    inside, outside = (hi, lo) if ends[1] else (lo, hi)
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if fulfilled(middle) else (inside, middle)
    return Interval(inside, possible.hi) if ends[1] else Interval(possible.lo, inside)


def _why(answer: Mapping[str, Any], window: Mapping[str, Any]) -> str:
    flag, wanted = answer["flag"], answer["wanted"]
    certain = "lo" in answer or "hi" in answer
    ends = _told(flag, answer if certain else answer["possible"])
    if not certain:
        text = f"whether {wanted} depends on rounding with {flag} {ends or 'at any value'}"
    else:
        text = f"{wanted} needs {flag} {ends}" if ends else f"{wanted} whatever {flag} is"
    return f"{text}; {window['why']}" if "why" in window else text


def _told(flag: str, ends: Mapping[str, Any]) -> str:
    """The ends that say more than what the flag can be at all."""
    free = _ENDS.get(flag, (1.0, math.inf))
    words = {"lo": "at least", "hi": "at most"}
    return " and ".join(f"{word} {ends[key]:.6g}" for key, word in words.items() if ends.get(key, free[0]) not in free)
