"""Facts that cannot hold together: the minimal set, and for each member what it would have to be.

A member is dropped and solved for. Where the rest of the launch then agrees, the solution is possible; where other
facts still disagree, or a witness or the nature of the quantity forbids the value, it is excluded, and the reason
names the line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logscope.expression import Expression, Var, substituted
from logscope.finding import Gap, Solution
from logscope.narrowing import Narrowed, Network, narrow_facts, solved_for
from logscope.quantity import Interval, LineRef, Quantity
from logscope.relation import Relation, Strength
from logscope.wording import round_setting

MOST_PAIRS = 15


@dataclass(frozen=True, slots=True)
class Witness:
    """What else is known of a quantity, and makes no conflict by itself: another launch, a card, a checkpoint."""

    name: str
    interval: Interval
    why: str
    line: LineRef | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to read some facts, tested by number: decimal GB, K for K + V, a total for a rank's share."""

    says: str
    replacements: Mapping[str, Quantity]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A minimal set of facts that the relations forbid.

    `observed` is the member that is judged, `computed` what the others make of it, `gap` their distance; `readings` are
    the other readings that were tried, each possible or excluded by number.
    """

    facts: tuple[Quantity, ...]
    relations: tuple[str, ...]
    strength: Strength
    observed: Quantity
    computed: Quantity
    gap: Gap
    solutions: tuple[Solution, ...]
    readings: tuple[Solution, ...] = ()

    @property
    def possible(self) -> tuple[Solution, ...]:
        return tuple(solution for solution in self.solutions if solution.status == "possible")


Facts = Mapping[str, Quantity]


def diagnosed(
    network: Network, facts: Facts, narrowed: Narrowed, *, witnesses: Sequence[Witness], readings: Sequence[Reading]
) -> tuple[Conflict, tuple[str, ...]]:
    """The conflict behind an empty range, and the facts to drop so that the search can go on.

    Whether facts disagree is asked with all tolerances; the numbers shown are those of the formulas themselves.
    """
    members = minimal(network, facts, narrowed)
    used = _relations_needed(network, members, narrowed)
    observed = _judged(network, members, used)
    exact = network.exactly()
    computed = _narrowed(exact, facts, observed, _computed(exact, members, observed, used=used))
    ranked = _solutions(network, exact, facts, members=members, witnesses=witnesses)
    tried = tuple(_tried(network, exact, facts, reading=reading, observed=observed) for reading in readings)
    relations = [network.relations[index] for index in used]
    conflict = Conflict(
        facts=tuple(members.values()),
        relations=tuple(dict.fromkeys(relation.name for relation in relations)),
        strength="identity" if all(relation.strength == "identity" for relation in relations) else "formula",
        observed=members[observed],
        computed=computed,
        gap=gap_between(members[observed], computed),
        solutions=tuple(solution for _, solution in ranked),
        readings=tried,
    )
    return conflict, ranked[0][0] if ranked else (observed,)


def gap_between(observed: Quantity, computed: Quantity) -> Gap:
    """The distance between the two values, and how much of it the two roundings can explain.

    Of a value that is known on one side only the end counts, so it has no rounding.
    """
    widths = [one.interval.width for one in (observed, computed) if math.isfinite(one.interval.width)]
    return Gap(abs(observed.interval.mid - computed.interval.mid), sum(widths) / 2, observed.unit)


def minimal(network: Network, facts: Facts, narrowed: Narrowed) -> dict[str, Quantity]:
    """The facts of an empty range without those that are not needed; the later a fact stands, the sooner it goes."""
    members = {name: fact for bit, (name, fact) in enumerate(facts.items()) if narrowed.empty_facts >> bit & 1}
    if not narrow_facts(network, members).empty:
        members = dict(facts)
    for name in reversed(list(members)):
        fewer = {other: fact for other, fact in members.items() if other != name}
        if narrow_facts(network, fewer).empty:
            members = fewer
    return members


def _without(facts: Facts, *names: str) -> dict[str, Quantity]:
    return {name: fact for name, fact in facts.items() if name not in names}


def _relations_needed(network: Network, members: Facts, narrowed: Narrowed) -> list[int]:
    used = [index for index in range(len(network.relations)) if narrowed.empty_relations >> index & 1]
    if not narrow_facts(network, members, only=used).empty:
        used = list(range(len(network.relations)))
    for index in reversed(list(used)):
        fewer = [other for other in used if other != index]
        if narrow_facts(network, members, only=fewer).empty:
            used = fewer
    return used


def _judged(network: Network, members: Facts, used: Sequence[int]) -> str:
    """The member that a relation of the conflict computes, the last of the chain; else the last member."""
    computed = [name for index in used if (name := _left_name(network.relations[index])) in members]
    return computed[-1] if computed else list(members)[-1]


def _left_name(relation: Relation) -> str:
    return relation.names[relation.tape.names.index(relation.left)] if isinstance(relation.left, Var) else ""


def _computed(network: Network, members: Facts, observed: str, *, used: Sequence[int]) -> Quantity:
    interval = solved_for(network, _without(members, observed), observed, only=used)
    fact = members[observed]
    return Quantity.computed(fact.name, interval, fact.unit, _equation(network, observed, used), fact.rank)


def _narrowed(network: Network, facts: Facts, observed: str, computed: Quantity) -> Quantity:
    """What all other facts make of it, where they agree: the members alone may bound it on one side only."""
    interval = solved_for(network, _without(facts, observed), observed)
    if interval.empty or not interval.inside(computed.interval):
        return computed
    return Quantity.computed(computed.name, interval, computed.unit, computed.equation or "", computed.rank)


def _equation(network: Network, observed: str, used: Sequence[int]) -> str:
    """The right side of the relation that computes the observed quantity, with what nobody printed written out."""
    definitions: dict[str, Expression] = {}
    for index in used:
        relation = network.relations[index]
        if isinstance(relation.left, Var) and _left_name(relation) != observed:
            definitions[relation.left.name] = relation.right
    for index in used:
        relation = network.relations[index]
        if _left_name(relation) == observed:
            return str(substituted(relation.right, definitions))
    return "; ".join(network.relations[index].equation for index in used)


Ranked = tuple[tuple[str, ...], Solution]


def _solutions(
    network: Network, exact: Network, facts: Facts, *, members: Facts, witnesses: Sequence[Witness]
) -> list[Ranked]:
    def solution(*names: str) -> Ranked:
        return _solution(network, exact, facts, members=members, names=names, witnesses=witnesses)

    singles = [solution(name) for name in members]
    ranked = sorted(singles, key=lambda single: _order(single[1]))
    if any(single.status == "possible" for _, single in ranked):
        return ranked
    names = _diagnosis_names(network, facts, members)
    pairs = (pair for pair in itertools.combinations(names, 2) if set(pair) & set(members))
    tried = itertools.islice(pairs, MOST_PAIRS)
    doubles = [solution(*pair) for pair in tried]
    possible = [double for double in doubles if double[1].status == "possible"]
    return [*sorted(possible, key=lambda double: _order(double[1])), *ranked]


def _diagnosis_names(network: Network, facts: Facts, members: Facts) -> list[str]:
    """The members, and those of the conflicts that remain when one of them is dropped."""
    names = dict.fromkeys(members)
    for name in members:
        rest = _without(facts, name)
        narrowed = narrow_facts(network, rest)
        if narrowed.empty:
            names.update(dict.fromkeys(minimal(network, rest, narrowed)))
    return list(names)


def _order(solution: Solution) -> tuple[bool, float]:
    return solution.status != "possible", sum(departure(quantity) for quantity in solution.quantities)


def departure(quantity: Mapping[str, Any]) -> float:
    """The relative distance between what is stated and the nearest value that reconciles."""
    stated = float(quantity["stated"])
    away = max(0.0, quantity.get("lo", -math.inf) - stated, stated - quantity.get("hi", math.inf))
    return float(away / max(abs(stated), 1e-9))


def _solution(
    network: Network,
    exact: Network,
    facts: Facts,
    *,
    members: Facts,
    names: tuple[str, ...],
    witnesses: Sequence[Witness],
) -> Ranked:
    rest = _without(facts, *names)
    narrowed = narrow_facts(network, rest)
    known = _without(members, *names) if narrowed.empty else rest
    intervals = [_solved(network, exact, known, name) for name in names]
    quantities = _quantities(facts, names, intervals)
    objections = [_objection(network, *pair, witnesses=witnesses) for pair in zip(names, intervals, strict=True)]
    if narrowed.empty:
        others = minimal(network, rest, narrowed).values()
        objections.append("these facts still disagree: " + "; ".join(stated(fact) for fact in others))
    why = ". ".join(objection for objection in objections if objection)
    if why:
        return names, Solution(quantities, "excluded", why)
    told = f"agrees with every other fact of the launch{round_setting(quantities[0])}"
    return names, Solution(quantities, "possible", told)


def _solved(network: Network, exact: Network, facts: Facts, name: str) -> Interval:
    """By the formulas themselves; with their tolerances where other facts leave nothing of that."""
    interval = solved_for(exact, facts, name)
    return solved_for(network, facts, name) if interval.empty else interval


def _objection(network: Network, name: str, interval: Interval, *, witnesses: Sequence[Witness]) -> str:
    variable = network.relations[network.readers(name)[0]].variable(name)
    if interval.hi < variable.low or interval.lo > variable.high:
        limits = f"{variable.low:g} … {variable.high:g}".replace("… inf", "or more").replace("-inf …", "at most")
        return f"{variable.says or variable.name} cannot be {shown(interval)} {variable.unit} ({limits})"
    for witness in witnesses:
        if witness.name == name and witness.interval.disjoint(interval):
            where = f" ({witness.line.path}:{witness.line.line})" if witness.line else ""
            return f"{witness.why}{where}"
    return ""


def _quantities(facts: Facts, names: Sequence[str], intervals: Sequence[Interval]) -> tuple[Mapping[str, Any], ...]:
    result = []
    for name, interval in zip(names, intervals, strict=True):
        fact = facts[name]
        entry: dict[str, Any] = {"name": fact.name, "stated": fact.value, "unit": fact.unit}
        entry |= {"rank": fact.rank} if fact.rank else {}
        entry |= {"lo": interval.lo} if math.isfinite(interval.lo) else {}
        entry |= {"hi": interval.hi} if math.isfinite(interval.hi) else {}
        result.append(entry)
    return tuple(result)


def _tried(network: Network, exact: Network, facts: Facts, *, reading: Reading, observed: str) -> Solution:
    replaced = {**facts, **reading.replacements}
    names = list(reading.replacements)
    quantities = _quantities(facts, names, [reading.replacements[name].interval for name in names])
    narrowed = narrow_facts(network, replaced)
    if not narrowed.empty:
        return Solution(quantities, "possible", f"{reading.says}: then all facts agree")
    members = minimal(network, replaced, narrowed)
    used = _relations_needed(network, members, narrowed)
    judged = observed if observed in members else _judged(network, members, used)
    computed = _computed(exact, members, judged, used=used)
    would = f"{members[judged].name} would be {shown(computed.interval)} {computed.unit}".rstrip()
    return Solution(quantities, "excluded", f"{reading.says}: then {would}, against {stated(members[judged])}")


def shown(interval: Interval) -> str:
    """An interval as a person reads it: one number where both ends agree to four digits, else both ends."""
    lo, hi = f"{interval.lo:.6g}", f"{interval.hi:.6g}"
    if interval.lo == -math.inf or interval.hi == math.inf:
        return f"at most {hi}" if interval.lo == -math.inf else f"at least {lo}"
    if math.isfinite(interval.width) and interval.width <= 2e-3 * max(abs(interval.mid), 1e-12):
        return f"{interval.mid:.5g}"
    return f"{lo} … {hi}"


def stated(fact: Quantity) -> str:
    """A fact with its value, its unit and its line."""
    where = f" ({fact.line.path}:{fact.line.line})" if fact.line else ""
    value = f"{fact.value:.10g}" if float(fact.value).is_integer() else f"{fact.value:.6g}"
    return f"{fact.name} {value} {fact.unit}".rstrip() + where
