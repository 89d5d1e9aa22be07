"""The accepted length exceeds its cap.

What it says
    accept len is larger than cap len on the same line.

Why it matters
    Ragged verification caps what a step can accept.

Example
    accept len: 3.60 beside cap len: 3.00.

Silent when
    No line prints a cap, or the length stays below.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    length = batches.column(rank, "decode_batch", "accept_length_tokens")
    cap = batches.column(rank, "decode_batch", "cap_length_tokens")
    over = np.flatnonzero(length > cap + 0.0101)
    if not over.size:
        return None
    row = batches.row(rank, "decode_batch", int(over[0]))
    return compared(
        f"accept len {row['accept_length_tokens']:.2f} is above cap len {row['cap_length_tokens']:.2f}.",
        row.quantity("accept_length_tokens"),
        at_most(row.quantity("cap_length_tokens").interval.hi),
        "accept len ≤ cap len",
    )
