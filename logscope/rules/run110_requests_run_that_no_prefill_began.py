"""Requests run that no prefill line began.

What it says
    The running requests rise between two decode lines by more than the prefill lines between them began.

Why it matters
    The log is filtered (another log level, grep), or requests arrive with their KV from a prefill server. An
    absence of prefill lines then says nothing about the traffic.

Example
    From 1 to 25 running with no prefill line in between.

Silent when
    Prefill and decode are separate servers, or every rise has its prefill lines.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, between, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged
from logscope.wording import several

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.disaggregated(rank.launch):
        raise NotApplicable("prefill and decode are separate servers")
    running = batches.column(rank, "decode_batch", "running_requests")
    began = between.prefilled(rank, "new_sequences")
    grown = between.change(running)
    over = np.flatnonzero(grown > began)
    if not over.size:
        return None
    place = int(over[0])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"{row['running_requests']:,} requests run, {grown[place]:,.0f} more than on the line before, and prefill lines between them began {began[place]:,.0f}: {several(over.size, 'such line')}. Prefill lines are missing.",
        row.quantity("running_requests"),
        at_most(float(running[place] - grown[place] + began[place])),
        "running before + Σ #new-seq since",
        batches.ref(rank, "decode_batch", place - 1),
    )
