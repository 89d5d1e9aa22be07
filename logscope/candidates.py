"""Which releases of a range could have produced the numbers of a start: the release as one more unknown.

Releases whose relations are the same for this launch are tried as one. Where a release fits, nothing contradicts; where
none does, the nearest one is told with what is left, and no release is forced on the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from logscope.conflict import Conflict, Reading, departure
from logscope.quantity import Quantity
from logscope.relation import Relation
from logscope.relations import Setting, relations_of
from logscope.solve import Solved, propagate


@dataclass(frozen=True, slots=True)
class Tried:
    """The releases whose relations hold for the facts, and for the others the conflict that excludes them.

    `best` is what the relations give by a release that fits, or by the nearest where none does.
    """

    fit: tuple[str, ...]
    excluded: Mapping[str, Conflict]
    best: Solved


def candidates(
    facts: Mapping[str, Quantity], setting: Setting, groups: Iterable[str], *, readings: Sequence[Reading] = ()
) -> Tried:
    """Try the relations of every release in the setting's range; releases that share them are tried once."""
    solved: dict[tuple[tuple[str, str, float, float], ...], Solved] = {}
    fit: list[str] = []
    excluded: dict[str, Conflict] = {}
    for part, relations in distinct(setting, tuple(groups)):
        key = tuple(_key(relation) for relation in relations)
        if key not in solved:
            solved[key] = propagate(facts, relations, readings=readings)
        if solved[key].consistent:
            fit.extend(part.release.releases)
        else:
            excluded.update(dict.fromkeys(part.release.releases, solved[key].conflicts[0]))
    return Tried(tuple(fit), excluded, min(solved.values(), key=_residual))


def distinct(setting: Setting, groups: tuple[str, ...]) -> Iterator[tuple[Setting, tuple[Relation, ...]]]:
    """The range in pieces within which no formula changes, each with its relations; in the order of the releases."""
    applied = relations_of(setting, groups)
    if not applied.turns:
        yield setting, applied.relations
        return
    for release in setting.release.split(applied.turns):
        yield from distinct(replace(setting, release=release), groups)


def _residual(solved: Solved) -> tuple[int, float, int]:
    """How far a release is from the facts: its conflicts, then by what share the facts would have to move.

    Of those that fit, the one with the most relations explains most.
    """
    moves = (
        min((sum(map(departure, one.quantities)) for one in conflict.possible), default=1.0)
        for conflict in solved.conflicts
    )
    return len(solved.conflicts), sum(moves), -len(solved.relations)


def _key(relation: Relation) -> tuple[str, str, float, float]:
    return relation.name, relation.equation, relation.tolerance, relation.sensor
