"""The accepted length is out of its range.

What it says
    accept len is below 1, or above what the steps and draft tokens of the arguments allow.

Why it matters
    The bonus token is always accepted, so 1.00 means that nothing of the draft was, and a draft of D tokens gives D
    at most. The arguments or the line belong to another start.

Example
    accept len: 5.51 with speculative_num_draft_tokens 4.

Silent when
    No speculation, steps change while the server runs, the dump sets neither number, or every length is in range.

Source
    `log_decode_stats` (0.5.10 and later `metrics_reporter.py`); `EAGLEWorker.verify`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"
_HALF = 0.0051
_KNOWN = ("EAGLE", "EAGLE3", "NEXTN", "STANDALONE", "NGRAM")


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    length = batches.column(rank, "decode_batch", "accept_length_tokens")
    if settings.set_to(launch, "speculative_adaptive"):
        raise NotApplicable("the steps of the draft change while the server runs")
    algorithm = str(launch.argument("speculative_algorithm"))
    if algorithm not in _KNOWN:
        raise NotApplicable(f"{algorithm} counts its tokens in a way of its own")
    bounds = [settings.number(launch, "speculative_num_draft_tokens", "tokens")]
    if algorithm != "NGRAM":
        steps = settings.number(launch, "speculative_num_steps", "tokens")
        bounds.append(Quantity.exact("speculative_num_steps + 1", steps.value + 1, "tokens", line=steps.line))
    most = min(bounds, key=lambda bound: bound.value)
    out = np.flatnonzero(((length < 1 - _HALF) & (length > 0)) | (length > most.value + _HALF))
    if not out.size:
        return None
    row = batches.row(rank, "decode_batch", int(out[0]))
    return compared(
        f"accept len {row['accept_length_tokens']:.2f} on {out.size:,} of {len(length):,} decode lines; with {most.name} it lies between 1 and {most.value:.0f}.",
        row.quantity("accept_length_tokens"),
        Interval(1.0, most.value),
        f"1 ≤ accept len ≤ {most.name}",
        most.line,
    )
