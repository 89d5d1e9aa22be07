"""The last start that came up before the fatal one, the first that served after it, and what differs: arguments, pool,
and the causes of its change.

Two starts in one input are the best experiment that a log can hold: what one has and the other has not is where to
look first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from logscope.errors import FactMissing, NotChecked
from logscope.facts.sequence import span
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
    came_up = [one for one in launches if _precedes(one, fatal) and _same_model(one, fatal) and was_ready(one)]
    served = [one for one in came_up if state_of(one) != "failed_startup"]
    if not served:
        raise FactMissing("no start before this one came up")
    return max(served, key=lambda one: (span(one)[0] or 0.0, one.id))


def next_good(launches: Sequence[Launch], fatal: Launch) -> Launch:
    """The first launch after the fatal one that served and did not die; raises FactMissing if none did."""
    came_up = [one for one in launches if _precedes(fatal, one) and _same_model(one, fatal) and was_ready(one)]
    served = [one for one in came_up if state_of(one) not in _DIED]
    if not served:
        raise FactMissing("no start after this one served")
    return min(served, key=lambda one: (span(one)[0] or 0.0, one.id))


def links(launches: Sequence[Launch], fatal: Launch) -> Chain:
    """The differences to the last good start before and the first one after as steps of the causal chain; empty where
    there is nothing to compare.
    """
    return tuple(_links(launches, fatal)) if state_of(fatal) in _DIED else ()


def _links(launches: Sequence[Launch], fatal: Launch) -> Iterator[tuple[LineRef | None, str]]:
    with contextlib.suppress(NotChecked):
        good = last_good(launches, fatal)
        yield good.first, f"the start before it (launch {good.id}) came up{_told(good, fatal, launches)}"
    with contextlib.suppress(NotChecked):
        good = next_good(launches, fatal)
        yield good.first, f"the start after it (launch {good.id}) served and did not die{_told(fatal, good, launches)}"


def _precedes(one: Launch, other: Launch) -> bool:
    """Whether a launch is over when another begins: those of one input stand in their order, others need clocks."""
    if one.path == other.path:
        return one.id < other.id
    ended, began = span(one)[1], span(other)[0]
    return ended is not None and began is not None and ended <= began


def _told(before: Launch, after: Launch, launches: Sequence[Launch]) -> str:
    parts = []
    if before.arguments and after.arguments:
        changed = _changed(before, after)
        said = [f"{row['name']} {row.get('a', 'unset')} → {row.get('b', 'unset')}" for row in changed[:_MOST]]
        more = f" and {len(changed) - _MOST} more" if len(changed) > _MOST else ""
        parts.append(f"since then {listed(said)}{more} changed" if said else "with the same arguments")
    parts += _pools(before, after, launches)
    return ": " + "; ".join(parts) if parts else ""


def _changed(before: Launch, after: Launch) -> list[Mapping[str, Any]]:
    """The arguments that differ, those first that size memory."""
    # Most logs hold one start, and nothing to compare.
    from logscope.differing_arguments import LEAVES_POOL, SIZES_POOL, different_arguments

    differing = different_arguments(mask_arguments(before.arguments), mask_arguments(after.arguments))
    told = [row for row in differing if row["name"] not in _WITHOUT_MEANING]
    return sorted(told, key=lambda row: row["name"] not in {**SIZES_POOL, **dict.fromkeys(LEAVES_POOL)})


def _pools(before: Launch, after: Launch, launches: Sequence[Launch]) -> list[str]:
    from logscope import compare

    try:
        sides = [_side(launch, launches) for launch in (before, after)]
        was, now = (side.facts["max_total_num_tokens"].value for side in sides)
        if was == now:
            return [f"both pools hold {count(int(was))} tokens"]
        shares, _ = compare.attribution(*sides)
    except (NotChecked, KeyError):
        return []
    largest = f", {shares[0].contribution:+,.0f} of it by {shares[0].name}" if shares else ""
    return [f"the pool went from {count(int(was))} to {count(int(now))} tokens{largest}"]


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
