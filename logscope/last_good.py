"""The last start that came up before the fatal one, and what differs: arguments, pool, and the causes of its change.

Two starts in one input are the best experiment that a log can hold: what one has and the other has not is where to
look first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from logscope.errors import FactMissing, NotChecked
from logscope.facts.states import state_of, was_ready
from logscope.launch import Launch
from logscope.quantity import LineRef
from logscope.redact import mask_arguments
from logscope.wording import count, listed

if TYPE_CHECKING:
    from logscope.compare import Side

Chain = tuple[tuple[LineRef | None, str], ...]

_DIED = ("failed_startup", "ready_then_crashed", "hung")
_MOST = 4  # arguments named in one sentence
_WITHOUT_MEANING = ("random_seed", "port", "nccl_port", "dist_init_addr", "host", "log_level", "api_key")


def last_good(launches: Sequence[Launch], fatal: Launch) -> Launch:
    """The last launch before the fatal one that served and did not die at its start; raises FactMissing if none did."""
    for launch in reversed([one for one in launches if one.id < fatal.id]):
        if was_ready(launch) and state_of(launch) != "failed_startup" and _same_model(launch, fatal):
            return launch
    raise FactMissing("no start before this one came up")


def links(launches: Sequence[Launch], fatal: Launch) -> Chain:
    """The difference to the last good start as a step of the causal chain; empty where there is nothing to compare."""
    if state_of(fatal) not in _DIED:
        return ()
    try:
        good = last_good(launches, fatal)
    except NotChecked:
        return ()
    return ((good.first, f"the start before it (launch {good.id}) came up{_told(good, fatal, launches)}"),)


def _told(good: Launch, fatal: Launch, launches: Sequence[Launch]) -> str:
    parts = []
    if good.arguments and fatal.arguments:
        changed = _changed(good, fatal)
        said = [f"{row['name']} {row.get('a', 'unset')} → {row.get('b', 'unset')}" for row in changed[:_MOST]]
        more = f" and {len(changed) - _MOST} more" if len(changed) > _MOST else ""
        parts.append(f"since then {listed(said)}{more} changed" if said else "with the same arguments")
    parts += _pools(good, fatal, launches)
    return ": " + "; ".join(parts) if parts else ""


def _changed(good: Launch, fatal: Launch) -> list[Mapping[str, Any]]:
    """The arguments that differ, those first that size memory."""
    # Most logs hold one start, and nothing to compare.
    from logscope.differing_arguments import LEAVES_POOL, SIZES_POOL, different_arguments

    differing = different_arguments(mask_arguments(good.arguments), mask_arguments(fatal.arguments))
    told = [row for row in differing if row["name"] not in _WITHOUT_MEANING]
    return sorted(told, key=lambda row: row["name"] not in {**SIZES_POOL, **dict.fromkeys(LEAVES_POOL)})


def _pools(good: Launch, fatal: Launch, launches: Sequence[Launch]) -> list[str]:
    from logscope import compare

    try:
        sides = [_side(launch, launches) for launch in (good, fatal)]
        before, after = (side.facts["max_total_num_tokens"].value for side in sides)
        if before == after:
            return [f"both pools hold {count(int(before))} tokens"]
        shares, _ = compare.attribution(*sides)
    except (NotChecked, KeyError):
        return []
    largest = f", {shares[0].contribution:+,.0f} of it by {shares[0].name}" if shares else ""
    return [f"the pool went from {count(int(before))} to {count(int(after))} tokens{largest}"]


def _side(launch: Launch, launches: Sequence[Launch]) -> Side:
    from logscope import sizing, starts
    from logscope.compare import Side

    names = [name for name in launch.ranks if name != "main"]
    if not names:
        raise FactMissing(f"launch {launch.id} shows no rank")
    rank = launch.rank(names[0])
    return Side(f"#{launch.id}", starts.facts_of(rank, launches), sizing.setting_of(rank), launch.arguments)


def _same_model(one: Launch, other: Launch) -> bool:
    names = [launch.arguments.get("model_path") for launch in (one, other)]
    return None in names or names[0] == names[1]
