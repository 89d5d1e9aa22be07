"""Speculation gives no gain, or too little for its cost.

What it is
    Nearly every draft token is rejected: accept length stays near one. Or the draft is far deeper than what is accepted:
    each step of it costs a forward of the draft model, most of them for tokens that are thrown away.

How to tell
    Accept length over the decode lines, not the rate: the rate changed its meaning at 0.5.11 and depends on the draft size.
    Too deep: nine of ten busy lines below 1 + 0.15 · steps, the bound of SPC105.

Not to be taken for
    `admission_capped`: acceptance is fine and the running requests are limited. A slow average over a pause.

What to do
    Check that draft and target belong together; look when it began: from the first line on (weights), at a step, or with
    uptime; switch speculation off where it does not pay. Too deep: fewer steps and draft tokens.

Source
    `log_decode_stats` (`scheduler_metrics_mixin.py`); `speculative/eagle_worker.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.case import Case
from logscope.facts import batches, settings
from logscope.facts.acceptance import least_length
from logscope.finding import Action, Hypothesis, Way
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "Speculation gives no gain"
_POOR = 1.25
_LEAST_LINES = 3
_STEADY_LINES = 8
_TOO_DEEP = 0.5  # below what limits or ends requests, above a log that only stops


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Accept length near one in lines that have running requests."""
    if case.died:
        return
    accepted = batches.column(case.launch, "decode_batch", "accept_length_tokens")
    running = batches.column(case.launch, "decode_batch", "running_requests")
    busy = np.isfinite(accepted) & (running >= 1) & (accepted > 0)
    if busy.sum() < _LEAST_LINES:
        return
    usual = float(np.median(accepted[busy]))
    places = np.flatnonzero(busy)
    lines = tuple(
        dict.fromkeys(
            batches.ref(case.launch, "decode_batch", int(p)) for p in (places[0], places[len(places) // 2], places[-1])
        )
    )
    if usual < _POOR:
        yield _rejected(case, usual, len(places), lines)
    else:
        yield from _too_deep(case, accepted[busy], lines)


def _rejected(case: Case, usual: float, count: int, lines: tuple[LineRef, ...]) -> Hypothesis:
    return Hypothesis(
        cause="speculation_ineffective",
        weight=0.6 if case.state != "stopped" else 0.4,
        sentence=f"Speculation gives no gain: {usual:.2f} tokens a step are accepted in the median of {count} lines, where 1.00 is none.",
        evidence=lines,
        confidence="likely",
        fraction=WAY,
        chain=((lines[0], "nearly every draft token is rejected"),),
        actions=(
            Action(
                do="Check that the draft model belongs to the target; measure once with speculation off.",
                why="Each step pays for drafts that are thrown away.",
                verify="Accept length above 1.5, or a higher rate without speculation.",
            ),
        ),
        at=lines[0],
    )


def _too_deep(case: Case, accepted: batches.Array, lines: tuple[LineRef, ...]) -> Iterator[Hypothesis]:
    """A draft that is right sometimes, and far deeper than it is right."""
    if case.originators or len(accepted) < _STEADY_LINES or settings.set_to(case.launch, "speculative_adaptive"):
        return
    steps = settings.number(case.launch, "speculative_num_steps", "steps")
    least = least_length(steps.value)
    if np.quantile(accepted, 0.9) >= least:
        return
    usual = float(np.median(accepted))
    yield Hypothesis(
        cause="speculation_ineffective",
        weight=_TOO_DEEP if case.state != "stopped" else 0.4,
        sentence=(
            f"The draft is too deep for what is accepted: {usual:.2f} tokens a step in the median of {len(accepted)} lines, with "
            f"{steps.value:.0f} draft steps that could give {steps.value + 1:.0f}; below {least:.2f} so many steps cost more than they gain."
        ),
        evidence=(*lines, *((steps.line,) if steps.line else ())),
        confidence="likely",
        fraction=WAY,
        chain=((lines[0], "few tokens of a deep draft are accepted"),),
        actions=(_shallower(case, usual, int(steps.value)),),
        at=lines[0],
    )


def _shallower(case: Case, usual: float, steps: int) -> Action:
    fewer = enough_steps(usual, steps)
    tokens = fewer + 1
    chain = case.launch.arguments.get("speculative_eagle_topk") in (None, 1)
    drafts = f"--speculative-num-draft-tokens {tokens}" if chain else "fewer --speculative-num-draft-tokens"
    return Action(
        do=f"Lower the draft from {steps} to --speculative-num-steps {fewer} with {drafts}; measure once with speculation off.",
        why=f"If each draft token is accepted as often as the one before it, {fewer} of {steps} steps still give nine tenths of the {usual:.2f} tokens.",
        verify=f"The rate at the same number of requests rises and accept length stays above {0.9 * usual:.2f}.",
        risk="Texts that are easier to foresee would have gained from a deeper draft.",
        set={"flag": "--speculative-num-steps", "from": steps, "hi": fewer},
    )


def enough_steps(length: float, steps: int) -> int:
    """The fewest steps that give nine tenths of an accepted length, were each token accepted with the same chance."""
    chance = next((p for p in np.linspace(0.0, 1.0, 1001) if float((p ** np.arange(steps + 1)).sum()) >= length), 1.0)
    given = (chance ** np.arange(steps + 1)).cumsum()
    return max(int(np.argmax(given >= 0.9 * length)), 1)
