"""The accept rate does not follow from the accepted length.

What it says
    Most decode lines print a rate that is not what this release computes from the length and the draft tokens.

Why it matters
    The meaning of the rate changed in 0.5.6 and in 0.5.11: a length of 2.6 with four draft tokens reads 0.65 and
    later 0.53. A rate of another era means another release, or other arguments, than the log seems to have.

Example
    accept len 2.60, D 4, accept rate 0.65 in 0.5.12.

Silent when
    The release or its era is not known, steps change while the server runs, or the rate fits.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.relations.acceptance import era
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "mismatch"
_EQUATION = {"steps": "length ÷ (steps + 1)", "draft": "length ÷ D", "net": "(length − 1) ÷ (D − 1)"}


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    length = batches.column(rank, "decode_batch", "accept_length_tokens")
    rate = batches.column(rank, "decode_batch", "accept_rate_share")
    if settings.set_to(launch, "speculative_adaptive"):
        raise NotApplicable("the steps of the draft change while the server runs")
    known = launch.release.ask(era)
    draft = settings.number(launch, "speculative_num_draft_tokens", "tokens").value
    if known == "none" or draft < 2:
        raise NotApplicable("this release prints no rate, or nothing is drafted")
    steps = settings.number(launch, "speculative_num_steps", "steps").value if known == "steps" else 0.0
    computed = {"steps": length / (steps + 1), "draft": length / draft, "net": (length - 1) / (draft - 1)}[known]
    both = np.isfinite(length) & np.isfinite(rate)
    off = both & (np.abs(rate - computed) > 0.0101 + 0.0051 / (draft - 1))
    if off.sum() <= both.sum() / 2:
        return None
    place = int(np.flatnonzero(off)[0])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"accept rate {row['accept_rate_share']:.2f} at accept len {row['accept_length_tokens']:.2f}: {launch.release} computes {computed[place]:.2f} with {draft:.0f} draft tokens. {int(off.sum()):,} of {int(both.sum()):,} lines.",
        row.quantity("accept_rate_share"),
        float(computed[place]),
        _EQUATION[known],
        launch.arguments_line,
    )
