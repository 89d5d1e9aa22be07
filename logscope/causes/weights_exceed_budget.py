"""The weights leave no room for the KV pool under the fraction: the start is refused.

What it is
    rest = avail_after_load − avail_before_load · (1 − fraction) ≤ 0 once weights (and draft weights) are loaded.

How to tell
    The refusal's own sentence, no allocator sentence before it; the last step is the load. The floor is 1 − after ÷ before.

Not to be taken for
    An out-of-memory of the device: no torch sentence is here, and lowering the fraction makes it worse.
    `device_shared`: free memory before the load far below the card. `state_exceeds_budget`: the message names the state.

What to do
    Raise the fraction above the floor by what the pool needs; where the floor is near 1, use more ranks or smaller
    weights.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool`; 0.5.14 and later `_profile_available_bytes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.errors import NotChecked
from logscope.facts import budget
from logscope.facts.failures import Failure
from logscope.finding import Action, Hypothesis, Way
from logscope.quantity import LineRef
from logscope.wording import above, gib, share

WAY: Way = "raise"
TITLE = "The weights leave no room for the KV pool"
_NO_FRACTION_FROM = 0.97  # above this floor nothing is left for anything outside the pool


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The start was refused because the budget was empty, or a rank profiled less than nothing."""
    yield from _profiled(case)
    refused = [f for f in case.originators if "budget_refused" in f.marks and _of_weights(f)]
    if not refused or (case.root is not None and "allocator_failure" in case.root.marks):
        return
    failure = refused[0]
    told, span, way, evidence = _arithmetic(case, failure)
    yield Hypothesis(
        cause="weights_exceed_budget",
        weight=0.93,
        sentence=f"The start was refused: the weights leave no room for the KV pool under the static fraction. {told}",
        evidence=tuple(dict.fromkeys((failure.decisive, *evidence, *failure.message_lines, *_sentences(case)))),
        confidence="certain",
        fraction=way,
        fraction_range=span,
        chain=(
            (failure.decisive, "the budget computes to nothing"),
            *((f.decisive, f.follows) for f in case.lasting if f.follows),
        ),
        ruled_out=(
            (
                "forward_out_of_memory",
                "no allocator failed: this is the engine's own arithmetic before the pool exists",
            ),
        ),
        actions=_actions(way, span),
        at=failure.decisive,
    )


def _profiled(case: Case) -> Iterator[Hypothesis]:
    """A negative profile without a server that came up: the draft worker of 0.5.9 prints one and boots."""
    rows = [row for row in case.launch.rows("kv_pool") if row.get("kind") == "profiled" and row.get("tokens", 0) < 0]
    if (
        not rows
        or case.launch.has("capacity", "ready", "decode_batch", "progress", "budget_refused")
        or case.originators
    ):
        return
    told = f"{rows[0].rank} profiled {rows[0]['tokens']:,} tokens: the budget is below zero, so no pool can be made and the cap is beside the point. "
    evidence = [rows[0].ref]
    span = None
    try:
        found = budget.budget(case.launch)
        evidence += [q.line for q in (found.after, found.before) if q.line]
        told += f"The weights alone need a fraction of {share(found.floor, 3)} ({gib(found.after)} of {gib(found.before)} are left)."
        span = {
            "lo": round(found.floor.hi, 4),
            "hi": _ceiling(case, found.floor.hi),
            "why": "1 − after ÷ before the weights",
        }
    except NotChecked:
        pass
    yield Hypothesis(
        cause="weights_exceed_budget",
        weight=0.85,
        sentence=told,
        evidence=tuple(dict.fromkeys(evidence)),
        confidence="likely",
        fraction="raise",
        fraction_range=span,
        chain=((rows[0].ref, "the budget computes to less than nothing"),),
        missing=("the lines behind the profile: the refusal that should follow",),
        actions=_actions("raise", span),
        at=rows[0].ref,
    )


def _sentences(case: Case) -> tuple[LineRef, ...]:
    """Every line of the refusal, where it is broken over several or repeated."""
    return tuple(row.ref for row in case.launch.rows("budget_refused")[:4])


def _of_weights(failure: Failure) -> bool:
    return bool(failure.marks["budget_refused"].get("pool", "kv") == "kv")


def _arithmetic(case: Case, failure: Failure) -> tuple[str, Mapping[str, Any] | None, Way, list[Any]]:
    row = failure.marks["budget_refused"]
    floor = row.get("floor_fraction")
    evidence: list[Any] = []
    told = ""
    try:
        found = budget.budget(case.launch)
        evidence = [q.line for q in (found.after, found.before) if q.line]
        floor = floor or found.floor.mid
        stated = budget.stated_fraction(case.launch)
        evidence += [stated.line] if stated.line else []
        if max(found.floor.mid, row.get("floor_fraction", 0.0)) <= stated.value:
            return *_too_small(case, found, stated.value), "raise", evidence
        told = (
            f"{gib(found.after)} free after the weights − {gib(found.before)} before them · (1 − {stated.value:g}) = "
            f"{gib(found.rest(stated.value))}. "
        )
    except NotChecked:
        pass
    if floor is None:
        return "The printed advice to increase the fraction is right.", None, "raise", evidence
    if floor >= _NO_FRACTION_FROM:
        told += f"The floor is {share(floor, 4)}, so no fraction leaves room for graphs and activations: more ranks or smaller weights are needed."
        return told, {"lo": floor, "hi": 1.0, "why": "1 − after ÷ before: no fraction works"}, "leave", evidence
    told += f"No fraction below {share(floor, 4)} can start, and the printed advice to increase is right."
    return (
        told,
        {
            "lo": floor,
            "hi": _ceiling(case, floor),
            "why": "floor: 1 − available after ÷ before the weights; ceiling: what graphs and activations need outside",
        },
        "raise",
        evidence,
    )


def _too_small(case: Case, found: budget.Budget, fraction: float) -> tuple[str, Mapping[str, Any]]:
    """Weights that bound nothing at the decimals of the log: what was refused is the least that is known of the floor."""
    left = 1024 * fraction * found.before.value
    told = (
        f"By the printed numbers ({gib(found.after)} free after the weights, {gib(found.before)} before them) the weights need no "
        f"larger fraction than {fraction:g}: that fraction itself is too small, it grants {left:,.1f} MiB for weights and pool "
        "together. The printed advice to increase is right."
    )
    why = f"floor: {fraction:g} was refused; ceiling: what graphs and activations need outside"
    return told, {"lo": fraction, "hi": _ceiling(case, fraction), "why": why}


def _ceiling(case: Case, floor: float) -> float:
    """What must stay outside the budget: at least 2 % of the memory, and a gibibyte."""
    try:
        before = budget.budget(case.launch).before.value
    except NotChecked:
        return max(floor, 0.97)
    return max(floor, 1 - max(1.0 / before, 0.03))


def _actions(way: Way, span: Mapping[str, Any] | None) -> tuple[Action, ...]:
    if way == "leave" or span is None:
        return (
            Action(
                do="Spread the model over more ranks, or load smaller (quantized) weights.",
                why="The weights fill the device up to where no fraction leaves room for a pool.",
                verify="`Load weight end` then shows free memory well above a tenth of what was free before.",
            ),
        )
    return (
        Action(
            do=f"Raise --mem-fraction-static above {_end(span['lo'])} by the share that the pool needs.",
            why="The rest grows by the free memory before the load times the step; at the floor itself the pool is empty.",
            verify="The next start prints `KV Cache is allocated` and a max_total_num_tokens that holds your longest request.",
            risk=f"What is not in the budget must still hold graphs and activations: watch `Memory pool end`. {IN_STAGING}",
            set={"flag": "--mem-fraction-static", "lo": span["lo"], "hi": span["hi"]},
        ),
    )


def _end(floor: float) -> str:
    """Three decimals, and all of them where three would not tell a floor from nothing."""
    return above(floor) if floor >= 0.001 else f"{floor:g}"
