"""Which of the releases that may have printed a launch compute its numbers: the release as one more unknown.

Wordings and keys bound the range (`releases`); here the formulas are tried, those of memory at start and the meaning of
the accept rate. A range is told, never narrowed by it: one wrong number must not change what else is judged.
"""

from __future__ import annotations

import contextlib
import itertools

from logscope.errors import FactMissing, NotChecked
from logscope.facts import acceptance
from logscope.launch import Launch, Rank
from logscope.relations.acceptance import era
from logscope.sizing import tried


def fitting(launch: Launch) -> tuple[str, ...]:
    """The releases of the range that compute the numbers of every rank; raises FactMissing where no number tells."""
    possible = launch.release.releases
    excluded: set[str] = set()
    for name in launch.ranks:
        if len(possible) > 1 and name != "main":
            excluded |= _excluded(launch.rank(name))
    if not excluded:
        raise FactMissing("no number tells the releases apart")
    return tuple(release for release in possible if release not in excluded)


def told(launch: Launch) -> str:
    """The same in words: `the numbers are those of 0.5.14 to 0.5.18`."""
    fit = fitting(launch)
    if not fit:
        return "no release of the range computes these numbers"
    pieces = launch.release.split(_starts(launch.release.releases, fit))
    runs = [str(piece) for piece in pieces if piece.releases[0] in fit]
    return f"the numbers are those of {', '.join(runs)}"


def _starts(possible: tuple[str, ...], fit: tuple[str, ...]) -> list[str]:
    """The releases at which fitting begins or ends."""
    return [one for last, one in itertools.pairwise(possible) if (last in fit) != (one in fit)]


def _excluded(rank: Rank) -> set[str]:
    found: set[str] = set()
    with contextlib.suppress(NotChecked):
        found |= set(tried(rank).excluded)
    meanings: dict[str, bool] = {}
    for release in rank.launch.release.releases:
        meaning = era(release)
        if meaning not in meanings:
            meanings[meaning] = _fits(rank, meaning)
        found |= set() if meanings[meaning] else {release}
    return found


def _fits(rank: Rank, meaning: str) -> bool:
    try:
        return acceptance.rates(rank, meaning).fits
    except NotChecked:
        return True
