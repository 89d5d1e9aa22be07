"""Speculation gives no gain, or too little for its cost.

What it is
    Nearly every draft token is rejected: accept length stays near one.

How to tell
    Accept length over the decode lines, not the rate: the rate changed its meaning at 0.5.11 and depends on the draft size.

Not to be taken for
    `admission_capped`: acceptance is fine and the running requests are limited. A slow average over a pause.

What to do
    Check that draft and target belong together; look when it began: from the first line on (weights), at a step, or with
    uptime; switch speculation off where it does not pay.

Source
    `log_decode_stats` (`scheduler_metrics_mixin.py`); `speculative/eagle_worker.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.case import Case
from logscope.facts import batches
from logscope.finding import Action, Hypothesis, Way

WAY: Way = "leave"
TITLE = "Speculation gives no gain"
_POOR = 1.25
_LEAST_LINES = 3


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
    if usual >= _POOR:
        return
    places = np.flatnonzero(busy)
    lines = tuple(
        batches.ref(case.launch, "decode_batch", int(p)) for p in (places[0], places[len(places) // 2], places[-1])
    )
    yield Hypothesis(
        cause="speculation_ineffective",
        weight=0.6 if case.state != "stopped" else 0.4,
        sentence=f"Speculation gives no gain: {usual:.2f} tokens a step are accepted in the median of {int(busy.sum())} lines, where 1.00 is none.",
        evidence=tuple(dict.fromkeys(lines)),
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
