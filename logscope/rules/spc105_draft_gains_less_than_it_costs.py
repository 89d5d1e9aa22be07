"""The draft gains less than it costs.

What it says
    Over at least five decode lines the mean accepted length is below 1 + 0.15 · steps.

Why it matters
    Each step of a draft costs a forward of the draft model; so little accepted is slower than no speculation. It is
    no question of memory.

Example
    accept len 1.20 with five steps.

Silent when
    Fewer than five lines, no number of steps in the dump, or more is accepted.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches, settings
from logscope.facts.acceptance import least_length
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The mean over the launch."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    length = batches.column(rank, "decode_batch", "accept_length_tokens")
    steps = settings.number(launch, "speculative_num_steps", "steps")
    known = length[np.isfinite(length) & (length > 0)]
    if len(known) < 5:
        raise FactMissing(f"{len(known)} decode lines print an accepted length; five are needed for a mean")
    least = least_length(steps.value)
    mean = float(known.mean())
    if mean >= least:
        return None
    row = batches.row(rank, "decode_batch", int(np.nanargmin(length)))
    observed = Quantity(
        "mean_accept_length", mean, Interval(mean - 0.005, mean + 0.005), "tokens", row.ref, "computed", rank.name
    )
    return compared(
        f"{mean:.2f} tokens a step are accepted on the mean of {len(known):,} lines with {steps.value:.0f} draft steps; below {least:.2f} the draft costs more than it gains.",
        observed,
        at_least(least),
        "1 + 0.15 · speculative_num_steps",
        steps.line,
    )
