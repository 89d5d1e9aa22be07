"""Which ranks size their pools together: those whose free memory is reduced to its least before a pool is sized.

Replicas of data parallelism are servers of their own, each with its own least; under data-parallel attention all
ranks are one group. Stages of a pipeline belong to one group from 0.4.6.post5 on, before that each is its own.
Source: `get_available_gpu_memory` (all-reduce over the tensor-parallel group, from 0.4.6.post5 on over the world).
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.facts import settings
from logscope.launch import Launch, Rank

WORLD = "0.4.6.post5"
"""The first release that takes the least over the stages of a pipeline too."""


def loading_ranks(launch: Launch) -> list[Rank]:
    """The ranks that loaded weights, in the order of their names."""
    return [launch.rank(name) for name in launch.ranks if name != "main" and launch.rank(name).rows("load_weight")]


def group(rank: Rank) -> list[Rank]:
    """The ranks that loaded weights and size their pools with this one, itself among them if it did."""
    kinds, made = rank.launch.kept("pool_groups", lambda: _groups(rank.launch))
    return made.get(_tokens(rank.name, kinds), [])


def _groups(launch: Launch) -> tuple[tuple[str, ...], dict[tuple[str, ...], list[Rank]]]:
    """The kinds of rank tokens that tell groups apart, and the ranks of each group."""
    ranks = loading_ranks(launch)
    apart = _apart(launch, [other.name for other in ranks])
    groups: dict[tuple[str, ...], list[Rank]] = {}
    for other in ranks:
        groups.setdefault(_tokens(other.name, apart), []).append(other)
    return apart, groups


def complete(rank: Rank) -> bool:
    """Whether every rank of the group is in the log, as far as the arguments tell how many there are."""
    launch = rank.launch
    stages = settings.size(launch, "pp_size") if _one_world(launch) else 1
    return len(group(rank)) >= settings.size(launch, "tp_size") * stages


def _apart(launch: Launch, names: Sequence[str]) -> tuple[str, ...]:
    """The kinds of rank tokens that divide the ranks into groups."""
    kinds = () if _one_world(launch) else ("PP",)
    return (*kinds, "DP") if _replicas(launch, names) else kinds


def _replicas(launch: Launch, names: Sequence[str]) -> bool:
    """Whether DP ranks are servers of their own: as the arguments say, else by numbers that several of them use."""
    if "enable_dp_attention" in launch.arguments:
        return not launch.arguments["enable_dp_attention"]
    others = [tuple(token for token in name.split() if not _is(token, "DP")) for name in names]
    return len(set(others)) < len(others)


def _one_world(launch: Launch) -> bool:
    return not launch.release.until("0.4.6.post4")


def _tokens(name: str, kinds: Sequence[str]) -> tuple[str, ...]:
    return tuple(token for token in name.split() if any(_is(token, kind) for kind in kinds))


def _is(token: str, kind: str) -> bool:
    return token.rstrip("-0123456789") == kind
