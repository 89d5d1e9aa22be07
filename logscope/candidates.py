"""Which releases of a range could have produced the numbers of a start: the release as one more unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from logscope.conflict import Conflict
from logscope.quantity import Quantity
from logscope.relation import Relation
from logscope.relations import Setting, relations_of
from logscope.sglang.releases import exactly
from logscope.solve import propagate


@dataclass(frozen=True, slots=True)
class Candidates:
    """The releases whose relations hold for the facts, and for the others the conflict that excludes them."""

    fit: tuple[str, ...]
    excluded: Mapping[str, Conflict]


def candidates(facts: Mapping[str, Quantity], setting: Setting, groups: Iterable[str]) -> Candidates:
    """Try the relations of every release in the setting's range; releases that share them are tried once."""
    wanted = tuple(groups)
    tried: dict[tuple[tuple[str, str, float, float], ...], Conflict | None] = {}
    fit: list[str] = []
    excluded: dict[str, Conflict] = {}
    for release in setting.release.releases:
        relations = relations_of(replace(setting, release=exactly(release, "tried")), wanted).relations
        key = tuple(_key(relation) for relation in relations)
        if key not in tried:
            found = propagate(facts, relations).conflicts
            tried[key] = found[0] if found else None
        conflict = tried[key]
        if conflict is None:
            fit.append(release)
        else:
            excluded[release] = conflict
    return Candidates(tuple(fit), excluded)


def _key(relation: Relation) -> tuple[str, str, float, float]:
    return relation.name, relation.equation, relation.tolerance, relation.sensor
