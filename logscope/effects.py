"""What a proposed change would do, by what SGLang computes: the pool it gives and what it leaves outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from logscope import whatif
from logscope.command_line import change
from logscope.errors import NotChecked, UsageError
from logscope.finding import Action
from logscope.launch import Launch
from logscope.log import Log
from logscope.starts import Named, Start, start

_SAID = {
    "max_total_num_tokens": "the pool holds {} tokens",
    "rest_memory": "{} GiB are left for the pools",
    "avail_pool_end": "{} GiB stay free after the pools",
    "headroom": "{} GiB stay free after the pools and the graphs",
}
_KNOWN = {*whatif.FLAGS, "kv_cache_dtype"}


def effects(log: Log, launch: Launch, actions: Sequence[Action]) -> list[str]:
    """One text an action, such as `With --mem-fraction-static 0.86: the pool holds 536,622 to 536,954 tokens (…).`

    Empty where the action sets no number, where nothing that SGLang computes depends on it, and where the relations do
    not reproduce the launch as it was.
    """
    changes = [change(launch, action) for action in actions]
    if not any(_KNOWN.issuperset(one) for one in changes if one):
        return ["" for _ in actions]
    try:
        found = start(log, Named(launch.path, launch.id))
        before = whatif.prediction(found.facts, found.setting, {}, refused=found.refused)
    except (NotChecked, UsageError):
        return ["" for _ in actions]
    agrees = before["reproduced"]["agrees"]
    return [_effect(found, before, one) if agrees and one else "" for one in changes]


def _effect(found: Start, before: Mapping[str, Any], changes: Mapping[str, Any]) -> str:
    try:
        after = whatif.prediction(found.facts, found.setting, changes, refused=found.refused)
    except (NotChecked, UsageError):
        return ""
    said = "; ".join(_outcome(before, after))
    known = not _SAID.keys().isdisjoint(row["name"] for row in after["predicted"])
    if not said and known and "mem_fraction_static" in changes:
        said = "the pool and what stays free beside it are as before"
    given = ", ".join(f"--{name.replace('_', '-')} {value}" for name, value in changes.items())
    return f"With {given}: {said}." if said else ""


def _outcome(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What is refused, and each quantity that the change moves by more than its interval, with its present value."""
    if after["refusal"] != "no":
        yield "the start is refused" if after["refusal"] == "yes" else "the start may be refused"
    if after["refusal"] == "yes":
        return
    old, new = ({row["name"]: row for row in one["predicted"]} for one in (before, after))
    names = [name for name in _SAID if name in new and (name != "rest_memory" or "max_total_num_tokens" not in new)]
    for name in names:
        if name not in old:
            yield _SAID[name].format(_span(new[name]))
        elif new[name]["lo"] > old[name]["hi"] or new[name]["hi"] < old[name]["lo"]:
            yield f"{_SAID[name].format(_span(new[name]))} ({_span(old[name])} before)"


def _span(row: Mapping[str, Any]) -> str:
    lo, hi = _number(row["lo"]), _number(row["hi"])
    return lo if lo == hi else f"{lo} to {hi}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"
