"""The state cache of a mamba or linear-attention model does not fit into the budget: the start is refused.

What it is
    The same sum as for the weights, seen as a negative rest or as too few state slots in a hybrid model's message.

How to tell
    The message names the state cache, its slots and the rest. A rest below zero: weights and state exceed the fraction. A
    rest above zero with no slot: the share for the state is smaller than one request's.

Not to be taken for
    An out-of-memory of the device. The printed hint to reduce the running requests, where the rest is negative before a
    single request.

What to do
    Raise the fraction (the rest grows by the free memory before the load times the step), or shrink the state.

Source
    `handle_max_mamba_cache` and its successors (`mem_cache/kv_cache_configurator.py`, 0.5.13 and later).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.errors import NotChecked
from logscope.facts import budget
from logscope.facts.refusals import Slope, rest_of, slope
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain
from logscope.quantity import LineRef
from logscope.wording import above, gib, share

WAY: Way = "raise"
TITLE = "The state cache does not fit into the budget"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The refusal names the state pool."""
    refused = [
        f for f in case.originators if "budget_refused" in f.marks and f.marks["budget_refused"].get("pool") == "state"
    ]
    if not refused:
        return
    failure = refused[0]
    row = failure.marks["budget_refused"]
    told = ["The start was refused: the state cache of a hybrid model does not fit into the static budget."]
    evidence: list[LineRef] = [failure.decisive]
    rest = rest_of(row)
    if rest is not None:
        told.append(f"The rest after the weights is {rest:.2f} GiB{' before a single request' if rest < 0 else ''}.")
    lo = None
    moved = slope(case.launches)
    if moved is not None:
        told.append(_of_slope(moved))
        evidence.extend(moved.lines)
        lo = moved.zero
    else:
        try:
            found = budget.budget(case.launch)
            told.append(
                f"The weights alone need a fraction of {share(found.floor, 3)} ({gib(found.after)} of {gib(found.before)} left)."
            )
            evidence.extend(q.line for q in (found.after, found.before) if q.line)
            lo = found.floor.mid
        except NotChecked:
            pass
    yield Hypothesis(
        cause="state_exceeds_budget",
        weight=0.93,
        sentence=" ".join(told),
        evidence=tuple(dict.fromkeys(evidence)),
        confidence="certain",
        fraction=WAY,
        fraction_range={"lo": round(lo, 4), "why": "where the rest becomes positive; the state and the pool need more"}
        if lo is not None
        else None,
        chain=chain(case, failure, "the budget leaves no room for the state cache"),
        ruled_out=(("forward_out_of_memory", "no allocator failed: this is the engine's own arithmetic"),),
        actions=(
            Action(
                do=f"Raise --mem-fraction-static{f' well above {above(lo)}' if lo is not None else ''}.",
                why="The rest grows by the free memory before the load times the step; fewer requests cannot make a negative rest positive.",
                verify="The next start prints `Mamba Cache is allocated` and a KV pool that holds your longest request.",
                risk=f"A larger budget leaves less for graphs and activations. {IN_STAGING}",
                set={"flag": "--mem-fraction-static", **({"lo": round(lo, 4)} if lo is not None else {})},
            ),
        ),
        at=failure.decisive,
    )


def _of_slope(moved: Slope) -> str:
    return (
        f"Between two starts the fraction went from {moved.fractions[0]:g} to {moved.fractions[1]:g} and the rest from {moved.rests[0]:.2f} to "
        f"{moved.rests[1]:.2f} GiB: {'the wrong direction; ' if moved.wrong_way else ''}{gib(moved.before)} were free before the weights, and the "
        f"rest is zero at {moved.zero:.3f}."
    )
