"""The accept rate does not follow from the accepted length.

What it says
    Most decode lines print a rate that is not what the releases in range compute from the length and the draft tokens.

Why it matters
    The meaning of the rate changed in 0.5.6 and in 0.5.11: a length of 2.6 with four draft tokens reads 0.65 and
    later 0.53. A rate of another era means another release, or other arguments, than the log seems to have.

Example
    accept len 2.60, D 4, accept rate 0.65 in 0.5.12.

Silent when
    Steps change while the server runs, or the rate fits one of the releases that may have printed the log.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import acceptance, batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.relations.acceptance import era
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    eras = dict.fromkeys(era(release) for release in launch.release.releases)
    found = {known: acceptance.rates(rank, known) for known in eras}
    if any(one.fits for one in found.values()):
        return None
    known, nearest = min(found.items(), key=lambda pair: pair[1].other.sum())
    place = int(np.flatnonzero(nearest.other)[0])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"accept rate {row['accept_rate_share']:.2f} at accept len {row['accept_length_tokens']:.2f}: {launch.release} computes {nearest.computed[place]:.2f} with {nearest.draft_tokens:.0f} draft tokens. {int(nearest.other.sum()):,} of {nearest.printed:,} lines.",
        row.quantity("accept_rate_share"),
        float(nearest.computed[place]),
        acceptance.EQUATIONS[known],
        launch.arguments_line,
    )
