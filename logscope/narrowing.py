"""A network of relations, narrowed to a fixed point: what the facts leave of every variable, and which took part."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from logscope import outward
from logscope.outward import Pair
from logscope.quantity import Interval, Quantity
from logscope.relation import Relation

REVISIONS = 60
"""How often one relation is revised at most; a slow convergence stops there, with a wider enclosure than need be."""
_WORTH = 1e-7
_SLICES = 40


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The ranges after narrowing. `facts` and `relations` are bit sets: which took part in each."""

    bounds: Mapping[str, Pair]
    facts: Mapping[str, int]
    relations: Mapping[str, int]
    last: Mapping[str, int]  # the relation that narrowed the variable last
    empty: bool = False
    empty_facts: int = 0
    empty_relations: int = 0


class Network:
    """Relations with an index from each variable to the relations that name it."""

    __slots__ = ("_readers", "relations")

    def __init__(self, relations: Iterable[Relation]) -> None:
        self.relations: tuple[Relation, ...] = tuple(relations)
        self._readers: dict[str, list[int]] = {}
        for index, relation in enumerate(self.relations):
            for name in relation.names:
                self._readers.setdefault(name, []).append(index)

    def names(self) -> list[str]:
        """All variables, in the order in which the relations name them."""
        return list(self._readers)

    def exactly(self) -> Network:
        """The same network without the tolerances that only decide whether facts disagree."""
        return Network(relation.exactly() for relation in self.relations)

    def readers(self, name: str) -> Sequence[int]:
        """The relations that name a variable."""
        return self._readers.get(name, ())

    def narrow(self, facts: Sequence[tuple[str, Pair]], *, only: Iterable[int] | None = None) -> Narrowed:
        """Narrow to a fixed point. `only` restricts the relations; bit n of a bit set of facts is the n-th fact."""
        return _Run(self, facts, only).finish()


class _Run:
    """The state of one narrowing."""

    __slots__ = ("bounds", "facts", "last", "network", "queue", "relations", "used", "waiting")

    def __init__(self, network: Network, facts: Sequence[tuple[str, Pair]], only: Iterable[int] | None) -> None:
        self.network = network
        self.bounds: dict[str, Pair] = {}
        self.facts: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.last: dict[str, int] = {}
        for bit, (name, pair) in enumerate(facts):
            self.bounds[name] = pair
            self.facts[name] = 1 << bit
        order = sorted(only) if only is not None else range(len(network.relations))
        self.queue = deque(order)
        self.waiting = set(order)
        self.used = dict.fromkeys(order, 0)

    def finish(self) -> Narrowed:
        while self.queue:
            index = self.queue.popleft()
            self.waiting.discard(index)
            if self.used[index] >= REVISIONS:
                continue
            self.used[index] += 1
            if not self._revise(index):
                return self._result(index)
        return self._result(None)

    def _revise(self, index: int) -> bool:
        relation = self.network.relations[index]
        bounds = [self.bounds.get(name, outward.EVERYTHING) for name in relation.names]
        remaining = relation.revised(bounds)
        if remaining is None:
            return False
        support, through = self._supports(relation, index)
        for name, old, new in zip(relation.names, bounds, remaining, strict=True):
            if not _worth(old, new):
                continue
            self.bounds[name] = new
            self.facts[name] = support
            self.relations[name] = through
            self.last[name] = index
            for reader in self.network.readers(name):
                if reader == index and not relation.repeats:
                    continue
                if reader not in self.waiting and reader in self.used:
                    self.waiting.add(reader)
                    self.queue.append(reader)
        return True

    def _supports(self, relation: Relation, index: int) -> tuple[int, int]:
        support, through = 0, 1 << index
        for name in relation.names:
            support |= self.facts.get(name, 0)
            through |= self.relations.get(name, 0)
        return support, through

    def _result(self, broken: int | None) -> Narrowed:
        if broken is None:
            return Narrowed(self.bounds, self.facts, self.relations, self.last)
        support, through = self._supports(self.network.relations[broken], broken)
        return Narrowed(self.bounds, self.facts, self.relations, self.last, True, support, through)


def _worth(old: Pair, new: Pair) -> bool:
    """Whether a range has become narrower by enough to tell the other relations."""
    if new[0] <= old[0] and new[1] >= old[1]:
        return False
    if math.isinf(old[0]) or math.isinf(old[1]):
        return not (new[0] == old[0] and new[1] == old[1])
    return (old[1] - old[0]) - (new[1] - new[0]) > _WORTH * (old[1] - old[0])


def narrow_facts(network: Network, facts: Mapping[str, Quantity], *, only: Iterable[int] | None = None) -> Narrowed:
    """What the facts leave of every variable."""
    return network.narrow([(name, fact.interval.pair) for name, fact in facts.items()], only=only)


def solved_for(
    network: Network, facts: Mapping[str, Quantity], name: str, *, only: Sequence[int] | None = None
) -> Interval:
    """The interval of a variable that is consistent with the facts; empty where they are in conflict themselves.

    Narrowing alone is exact where each formula names the variable once; elsewhere the ends are shaved by bisection.
    """
    narrowed = narrow_facts(network, facts, only=only)
    if narrowed.empty:
        return Interval(math.inf, -math.inf)
    interval = Interval(*narrowed.bounds.get(name, (-math.inf, math.inf)))
    readers = [index for index in network.readers(name) if only is None or index in only]
    if not interval.finite or not any(name in network.relations[index].repeats for index in readers):
        return interval
    return _shaved(network, facts, name, interval=interval)


def _shaved(network: Network, facts: Mapping[str, Quantity], name: str, *, interval: Interval) -> Interval:
    """The interval without the outer parts that the relations refute, found by bisection from each side."""

    def refuted(lo: float, hi: float) -> bool:
        pairs = [(other, fact.interval.pair) for other, fact in facts.items()]
        return network.narrow([*pairs, (name, (lo, hi))]).empty

    lo, hi = interval.lo, interval.hi
    for low_side in (True, False):
        step = (hi - lo) / 2
        for _ in range(_SLICES):
            inner = lo + step if low_side else hi - step
            if refuted(*((lo, inner) if low_side else (inner, hi))):
                lo, hi = (inner, hi) if low_side else (lo, inner)
            else:
                step /= 2
            if step <= 1e-12 * max(abs(lo), abs(hi), 1e-300):
                break
    return Interval(lo, hi)
