"""Decode steps became five times slower at the same load.

What it says
    Three or more consecutive decode lines show less than a fifth of the median steps a second, without fewer tokens
    or a pause.

Why it matters
    The device or the host slowed down: another process, heat, swapping, recompilation. No setting of memory
    explains it.

Example
    44 tok/s for one request, then 6 tok/s for one request over minutes.

Silent when
    Fewer than twelve decode lines, no request runs, or the rate of steps keeps within a factor of five.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged
from logscope.wording import several

SEVERITY = "note"
KIND = "smell"
_LEAST = 12


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    rate = batches.column(rank, "decode_batch", "gen_throughput_tok_s")
    running = batches.column(rank, "decode_batch", "running_requests")
    if len(rate) < _LEAST:
        raise FactMissing(f"{len(rate)} decode lines; {_LEAST} are needed to tell what is usual")
    steps = rate / np.maximum(running, 1)
    busy = running > 0
    usual = float(np.median(steps[busy])) if busy.any() else 0.0
    alike = running <= 2 * max(float(np.median(running[busy])) if busy.any() else 1.0, 1.0)
    slow = busy & alike & (steps < usual / 5)
    run = slow[2:] & slow[1:-1] & slow[:-2]
    places = np.flatnonzero(run)
    if not places.size:
        return None
    place = int(places[0]) + 2
    earlier = steps[: place - 2][busy[: place - 2]]
    usual = max(usual, float(np.median(earlier)) if earlier.size else 0.0)  # the slow lines lower the median of all
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"{row['gen_throughput_tok_s']:.1f} tok/s for {several(row['running_requests'], 'request')} on three lines in a row; {usual:.1f} tok/s a request are usual in this launch.",
        row.quantity("gen_throughput_tok_s"),
        at_least(usual / 5 * float(running[place])),
        "a fifth of the median steps a second · running requests",
        batches.ref(rank, "decode_batch", place - 2),
    )
