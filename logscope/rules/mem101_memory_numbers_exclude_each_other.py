"""The memory numbers of one start cannot all be true.

What it says
    The printed free memory, fraction, weights and pools of a rank were put through the relations of its releases, and no
    values within their rounding fit. It names the smallest set of facts that excludes itself, and for each of them the
    value that would reconcile it with the others.

Why it matters
    One input is not what it seems: a fraction of another launch, a line of another rank, a flag that was overridden later.
    Whoever tunes on top of the wrong number tunes in the wrong direction.

Example
    Free before the weights 94.00 GB, after them 21.71 GB, fraction 0.55 gives a rest of −20.59 GB; the same start
    allocated a pool of 10.42 GB and serves: only a fraction of 0.880 agrees with all other lines.

Silent when
    One of the releases that may have printed the log computes the numbers, a fact is missing, ranks are missing, the pool
    was sized after the capture of graphs, or a hidden modifier is in force (the aiter backend).

Source
    `ModelRunner.profile_max_num_token`, `_profile_available_bytes` (`model_executor/model_runner.py`, 0.5.10 and later
    `mem_cache/kv_cache_configurator.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from logscope.conflict import Conflict
from logscope.errors import FactMissing, NotChecked
from logscope.facts import pools
from logscope.finding import Finding, Solution
from logscope.launch import Launch
from logscope.quantity import LineRef, Quantity
from logscope.sglang import models
from logscope.sglang.sizing import sizing
from logscope.sizing import reread, solved, tried
from logscope.wording import between, figure, round_setting

SEVERITY = "error"
KIND = "mismatch"


def check(launch: Launch) -> list[Finding]:
    """One finding a conflict, from the first rank that shows it."""
    conflicts: dict[tuple[str, ...], tuple[Conflict, list[str]]] = {}
    judged = 0
    why = "no rank printed the numbers"
    for name in launch.ranks:
        if name == "main":
            continue
        try:
            found = solved(launch.rank(name))
        except NotChecked as reason:
            why = str(reason)
            continue
        judged += bool(found.relations)
        for conflict in found.conflicts:
            conflicts.setdefault(conflict.relations, (conflict, []))[1].append(name)
    if not judged and not conflicts:
        raise FactMissing(why)
    return [_finding(launch, _reread(launch, *found), found[1]) for found in conflicts.values()]


def _reread(launch: Launch, conflict: Conflict, ranks: list[str]) -> Conflict:
    """The conflict with the other readings of its numbers: they are tried for the rank that is shown."""
    conflicts = reread(launch.rank(ranks[0])).conflicts
    return next((one for one in conflicts if one.relations == conflict.relations), conflict)


def _finding(launch: Launch, conflict: Conflict, ranks: list[str]) -> Finding:
    observed, computed, gap = conflict.observed, conflict.computed, conflict.gap
    others = f" The same on {len(ranks) - 1} more ranks." if len(ranks) > 1 else ""
    possible = [q for s in conflict.possible for q in s.quantities]
    only = (
        f" Only {possible[0]['name']} {between(possible[0])} agrees with every other line{round_setting(possible[0])}."
        if len(possible) == 1
        else ""
    )
    return Finding(
        message=(
            f"{observed.name} is {figure(observed.value)} {observed.unit}, and the other lines of {ranks[0]} compute "
            f"{_side(computed)}{figure(computed.value)} {observed.unit}: {figure(gap.value)} apart, of which rounding explains {gap.rounding_explains:.2g}.{only}{_releases(launch, ranks[0])}{_pool_is_real(launch, ranks[0])}{others}"
        ),
        evidence=tuple(dict.fromkeys(_lines(conflict))),
        observed=observed,
        computed=computed,
        gap=gap,
        conflict=conflict.facts,
        solutions=(*conflict.solutions, *conflict.readings, *_another_path(launch, conflict, ranks[0])),
        role="root",
        rank=ranks[0],
        kind="impossible" if conflict.strength == "identity" else "mismatch",
    )


def _releases(launch: Launch, rank: str) -> str:
    """That no release computes these numbers, where several may have printed the log."""
    excluded = tried(launch.rank(rank)).excluded
    if len(excluded) < 2:
        return ""
    return f" None of the {len(excluded)} releases that may have printed them computes these numbers."


def _side(computed: Quantity) -> str:
    """What a value is that the other lines bound on one side only."""
    if computed.interval.finite:
        return ""
    return "at most " if math.isfinite(computed.interval.hi) else "at least "


def _another_path(launch: Launch, conflict: Conflict, rank: str) -> Iterator[Solution]:
    """That something beside the budget made the pool larger: which releases have such a thing, and how much it takes."""
    observed, computed = conflict.observed, conflict.computed
    if observed.name != "kv_pool" or computed.interval.hi >= observed.interval.lo or not computed.interval.finite:
        return
    try:
        cell = pools.bytes_per_token(launch.rank(rank))
    except NotChecked:
        return
    tokens = (observed.interval - computed.interval) * 2**30 / cell.interval
    beside = {"name": "tokens_beside_budget", "stated": 0, "unit": "tokens", "lo": tokens.lo, "hi": tokens.hi}
    able = any(sizing(release).speculation_room == "pool" for release in launch.release.releases)
    which = "0.4.4 to 0.5.6 add tokens to a budget (speculation) or replace it (SGLANG_CI_SMALL_KV_SIZE)"
    why = f"another code path: {which}" + ("" if able else ", and none of these can have printed this log")
    yield Solution((beside,), "possible" if able else "excluded", why)


def _pool_is_real(launch: Launch, rank: str) -> str:
    """An independent check of the pool: its bytes per token against the shapes of public models, of this name first."""
    try:
        cell = pools.bytes_per_token(launch.rank(rank))
    except NotChecked:
        return ""
    fits = models.fitting(cell.interval, tp_size=_tp(launch))
    name = str(launch.arguments.get("model_path", "")).lower()
    named = [
        fit
        for fit in fits
        if fit.shape.name.lower().split(" ")[0] in name or name.rsplit("/", 1)[-1] in fit.shape.name.lower()
    ]
    if not fits:
        return ""
    fit = (named or fits)[0]
    product = f" ({fit.product})" if fit.product else ""
    return (
        f" The pool itself is real: it has {cell.value:,.0f} bytes a token, and {fit} takes "
        f"{fit.bytes_per_token:,.0f}{product}."
    )


def _tp(launch: Launch) -> int | None:
    size = launch.arguments.get("tp_size")
    return size if isinstance(size, int) else None


def _lines(conflict: Conflict) -> Iterator[LineRef]:
    for fact in (conflict.observed, *conflict.facts):
        if fact.line is not None:
            yield fact.line
