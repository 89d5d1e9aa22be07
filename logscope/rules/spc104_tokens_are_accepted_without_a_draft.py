"""Draft tokens are accepted although speculation is off.

What it says
    Decode lines print an accepted length, and the dump sets no speculative algorithm.

Why it matters
    The arguments and the batches belong to different starts.

Example
    speculative_algorithm=None beside accept len: 3.10.

Silent when
    An algorithm is set, no dump is in the log, or no line prints a length.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    length = batches.column(rank, "decode_batch", "accept_length_tokens")
    if launch.argument("speculative_algorithm"):
        return None
    place = int(np.flatnonzero(np.isfinite(length))[0])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"accept len {row['accept_length_tokens']:.2f} is printed, and the dump sets no speculative algorithm.",
        row.quantity("accept_length_tokens"),
        1.0,
        "no draft: one token a step",
        launch.arguments_line,
    )
