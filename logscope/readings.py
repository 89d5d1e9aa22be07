"""Other ways to read the numbers of a start: each is tried by number when its facts disagree, and none is assumed.

People and tools mix up gigabytes of 2^30 and of 10^9 bytes, a rank and all ranks, keys and keys with values, tokens
and pages, the card and what was free on it; releases multiply a fraction after it was printed. A reading that makes
all facts agree is possible; the others are excluded by what they would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from logscope.conflict import Reading, Witness
from logscope.quantity import Interval, Quantity
from logscope.relations import Setting
from logscope.sglang.fraction import hidden_factors

Facts = Mapping[str, Quantity]

DECIMAL = 1e9 / 2**30
MEMORY = ("avail_before_load", "avail_after_load", "kv_pool", "avail_pool_end", "weights")
CARDS_GB = (16, 24, 32, 40, 48, 64, 80, 96, 141, 180, 192, 256, 288)
"""The nominal memory of the cards that servers use."""
NEIGHBOUR = 0.2
"""By how much a reading of another start of the same model may differ and still be the same machine."""


def readings(facts: Facts, setting: Setting, *, ranks: int = 1) -> list[Reading]:
    """The readings that apply to the facts of one rank; `ranks` is how many share the model."""
    found = [*_units(facts), *_card(facts, ranks), *_shares(facts, ranks), *_halves(facts), *_pages(facts)]
    return [*found, *_factors(facts, setting)]


def _scaled(facts: Facts, names: Iterable[str], factor: float) -> dict[str, Quantity]:
    known = [name for name in names if name in facts]
    return {name: facts[name].scaled(factor, facts[name].unit, f"{name} · {factor:.6g}") for name in known}


def _units(facts: Facts) -> Iterator[Reading]:
    everything = _scaled(facts, MEMORY, DECIMAL)
    if everything:
        yield Reading("all GB are decimal, 10^9 bytes", everything)
    if "kv_pool" in facts and len(everything) > 1:
        yield Reading("the pool alone is in decimal GB", _scaled(facts, ["kv_pool"], DECIMAL))


def _card(facts: Facts, ranks: int) -> Iterator[Reading]:
    if "avail_before_load" not in facts:
        return
    free = facts["avail_before_load"]
    card = next((size for size in CARDS_GB if size >= free.interval.hi), None)
    if card is not None:
        whole = Quantity("avail_before_load", card, Interval.printed(card, 0), "GiB", free.line, "computed")
        yield Reading(f"the whole card of {card} GB in place of what was free", {"avail_before_load": whole})
        if ranks > 1:
            all_cards = whole.scaled(ranks, "GiB", f"{card} · {ranks}")
            yield Reading(f"the {ranks} cards together, {card} · {ranks} GB", {"avail_before_load": all_cards})


def _shares(facts: Facts, ranks: int) -> Iterator[Reading]:
    if ranks > 1 and "kv_pool" in facts:
        yield Reading(f"the pool is that of all {ranks} ranks", _scaled(facts, ["kv_pool"], 1 / ranks))
    if ranks > 1 and "weights" in facts:
        yield Reading(f"the weights are those of all {ranks} ranks", _scaled(facts, ["weights"], 1 / ranks))


def _halves(facts: Facts) -> Iterator[Reading]:
    if "kv_pool" in facts:
        yield Reading("the pool is that of the keys alone, and the values take as much", _scaled(facts, ["kv_pool"], 2))


def _pages(facts: Facts) -> Iterator[Reading]:
    if "max_total_num_tokens" in facts and "page_size" in facts and facts["page_size"].value > 1:
        pages = _scaled(facts, ["max_total_num_tokens"], facts["page_size"].value)
        yield Reading("the tokens of the pool are pages", pages)


def _factors(facts: Facts, setting: Setting) -> Iterator[Reading]:
    """What some release of the range multiplies a fraction with after printing it."""
    if "mem_fraction_static" not in facts:
        return
    factors = {factor: why for release in setting.release.releases for factor, why in hidden_factors(release)}
    for factor, why in sorted(factors.items()):
        hidden = _scaled(facts, ["mem_fraction_static"], factor)
        yield Reading(f"the fraction was multiplied by {factor:g} after it was printed, as for {why}", hidden)


def witnesses(others: Iterable[tuple[str, Facts]]) -> list[Witness]:
    """What other starts of the same model on the same machine say of the free memory: (which, its facts)."""
    found = []
    for which, facts in others:
        for name in ("avail_before_load", "avail_after_load"):
            if name in facts:
                fact = facts[name]
                wide = fact.interval.widened(NEIGHBOUR * abs(fact.value))
                found.append(Witness(name, wide, f"{which} printed {fact.value:g} {fact.unit}", fact.line))
    return found
