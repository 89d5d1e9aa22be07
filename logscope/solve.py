"""Interval propagation over relations: what follows, what cannot hold together, and which input would reconcile it.

This is model-based diagnosis over interval constraints. The facts of a launch are narrowed through its relations
(HC4, Benhamou et al. 1999); where a range becomes empty, the facts that took part are reduced to a minimal conflict
set (Reiter 1987; de Kleer & Williams 1987), and each member is dropped in turn and solved for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from logscope import conflict as conflicts_of
from logscope.conflict import Conflict, Reading, Witness
from logscope.errors import FactMissing, UsageError
from logscope.expression import unit_of
from logscope.finding import Solution
from logscope.narrowing import Narrowed, Network, narrow_facts
from logscope.quantity import Interval, Quantity
from logscope.relation import Relation

__all__ = ["Conflict", "Reading", "Relation", "Solution", "Solved", "Witness", "propagate", "relations_for"]

MOST_CONFLICTS = 8


@dataclass(frozen=True, slots=True)
class Solved:
    """What propagation leaves.

    `values` holds every variable that the facts bound on at least one side, by the formulas themselves where all
    printed readings agree with them, else with the sensors' tolerances; with conflicts, what follows once the best
    solution of each has been dropped. `dropped` names those.
    """

    values: Mapping[str, Quantity]
    conflicts: tuple[Conflict, ...]
    dropped: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()

    @property
    def consistent(self) -> bool:
        return not self.conflicts

    def value(self, name: str) -> Quantity:
        """The narrowed quantity; raises FactMissing where nothing bounds it."""
        try:
            return self.values[name]
        except KeyError:
            known = ", ".join(self.relations)
            raise FactMissing(f"{name} is neither printed nor bounded by the relations {known}") from None


def relations_for(relations: Iterable[Relation], ranks: Sequence[str], *, shared: Iterable[str]) -> list[Relation]:
    """The relations of each rank, with its own variables as `name@rank`; one that names shared variables only stays."""
    kept, result = set(shared), []
    for relation in relations:
        if kept.issuperset(relation.names):
            result.append(relation)
        else:
            result.extend(relation.at(rank, kept) for rank in ranks)
    return result


def propagate(
    facts: Mapping[str, Quantity],
    relations: Iterable[Relation],
    *,
    witnesses: Sequence[Witness] = (),
    readings: Sequence[Reading] = (),
) -> Solved:
    """Narrow the facts through the relations; find every conflict, what would solve it, and which readings would not.

    Facts are named as in the relations; where two conflict sets are possible, the facts that come first in the mapping
    are kept in preference. `witnesses` never make a conflict: they only exclude solutions. Raises UsageError for a fact
    in another unit than its relations use: a unit is a reading to be tested, never converted in silence.
    """
    network = Network(relations)
    _check_units(facts, network)
    remaining = dict(facts)
    found: list[Conflict] = []
    dropped: list[str] = []
    narrowed = narrow_facts(network, remaining)
    while narrowed.empty and len(found) < MOST_CONFLICTS:
        conflict, out = conflicts_of.diagnosed(network, remaining, narrowed, witnesses=witnesses, readings=readings)
        found.append(conflict)
        for name in out:
            dropped.append(name)
            del remaining[name]
        narrowed = narrow_facts(network, remaining)
    if not narrowed.empty:
        exact = narrow_facts(network.exactly(), remaining)
        narrowed = narrowed if exact.empty else exact
    values = {} if narrowed.empty else _values(network, remaining, narrowed)
    names = tuple(dict.fromkeys(relation.name for relation in network.relations))
    return Solved(values, tuple(found), tuple(dropped), names)


def _check_units(facts: Mapping[str, Quantity], network: Network) -> None:
    for name, fact in facts.items():
        for index in network.readers(name)[:1]:
            wanted = network.relations[index].variable(name)
            if unit_of(fact.unit) != wanted.dimension:
                raise UsageError(
                    f"{name} is given in {fact.unit or '1'}, but relation {network.relations[index].name} asks for "
                    f"{wanted.unit or '1'}; convert it, or test the unit as a reading"
                )


def _values(network: Network, facts: Mapping[str, Quantity], narrowed: Narrowed) -> dict[str, Quantity]:
    values: dict[str, Quantity] = {}
    for name in [*facts, *(name for name in network.names() if name not in facts)]:
        if name not in narrowed.bounds:
            continue
        interval = Interval(*narrowed.bounds[name])
        if interval.lo == -interval.hi and not interval.finite:
            continue
        values[name] = _value(network, name, interval, facts=facts, last=_through(network, name, narrowed))
    return values


def _through(network: Network, name: str, narrowed: Narrowed) -> int | None:
    """The relation that the value is explained by: the one that computes it where there is one, else the last."""
    last = narrowed.last.get(name)
    defining = [
        index for index in network.readers(name) if str(network.relations[index].left) == name.partition("@")[0]
    ]
    return defining[0] if last is not None and defining else last


def _value(
    network: Network, name: str, interval: Interval, *, facts: Mapping[str, Quantity], last: int | None
) -> Quantity:
    equation = None if last is None else network.relations[last].equation
    if name in facts:
        fact = facts[name]
        if interval == fact.interval:
            return fact
        return replace(fact, interval=interval, equation=equation)
    relation = network.relations[network.readers(name)[0]]
    plain, _, rank = name.partition("@")
    forward = last is not None and str(network.relations[last].left) == plain
    origin: Literal["computed", "solved"] = "computed" if forward else "solved"
    return Quantity(plain, interval.mid, interval, relation.variable(name).unit, None, origin, rank or None, equation)
