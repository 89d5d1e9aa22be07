"""The cap that sets the pool of a start (`--max-total-tokens`): the fraction moves nothing until it is below a value.

N = ⌊ min(profiled, cap) / p ⌋ · p: while the budget profiles more tokens than the cap, another fraction gives the same
pool. Where it profiles as many, the cap stops binding; that fraction follows from the relations of sizing, as a
prediction has it. On MLX the cap is the pool whatever the fraction is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from logscope.errors import FactMissing, NotChecked
from logscope.facts import pools
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, LineRef, Quantity
from logscope.sizing import applied_to, facts_of
from logscope.solve import propagate

FLAG = "--max-total-tokens"


@dataclass(frozen=True, slots=True)
class BindingCap:
    """The cap and the pool that it set, tokens; the pool's line; the fraction below which the budget is the smaller."""

    cap: int
    tokens: Quantity
    line: LineRef | None
    stops_below: Interval | None


def binding_cap(launch: Launch) -> BindingCap:
    """The cap that sets the pool of a launch; raises FactMissing where none is set, or the budget was smaller."""
    cap = launch.argument("max_total_tokens")
    if not isinstance(cap, int) or isinstance(cap, bool):
        raise FactMissing("max_total_tokens is not set")
    page = launch.arguments.get("page_size")
    whole = cap // page * page if isinstance(page, int) and page > 1 else cap
    for name in launch.ranks:
        try:
            tokens = pools.tokens(launch.rank(name))
        except NotChecked:
            continue
        if tokens.value not in (cap, whole):
            raise FactMissing(f"the pool has {tokens.value:,.0f} tokens, not the {cap:,} of its cap")
        return BindingCap(cap, tokens, tokens.line, _stops(launch.rank(name), whole))
    raise FactMissing("no rank printed its pool")


def _stops(rank: Rank, cap: int) -> Interval | None:
    """The fraction at which the budget profiles as many tokens as the cap; None where the relations do not tell."""
    try:
        facts = {name: fact for name, fact in facts_of(rank).items() if name != "mem_fraction_static"}
        relations = applied_to(rank).relations
    except NotChecked:
        return None
    facts["profiled_tokens"] = Quantity.exact("profiled_tokens", float(cap), "tokens")
    solved = propagate(facts, relations)
    found = solved.values.get("mem_fraction_static")
    if found is None or not solved.consistent or found.interval.hi >= 1 or not math.isfinite(found.interval.lo):
        return None
    return found.interval
