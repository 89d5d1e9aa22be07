"""More requests were retracted than ran.

What it says
    A retraction takes as many requests as ran on the decode line before it together with those that began since, or
    more.

Why it matters
    At least one request is kept. The retraction belongs to another rank or server.

Example
    #retracted_reqs: 12 with 6 running before.

Silent when
    No decode line stands before, prefill and decode are separate servers, or one request remained.

Source
    `ScheduleBatch.retract_decode`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import batches, between, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "retraction", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if settings.disaggregated(launch):
        raise NotApplicable("prefill and decode are separate servers")
    if not rank.table("prefill_batch").num_rows:
        raise FactMissing(f"{rank.name} prints no prefill line")
    decode, prefill = between.lines(rank, "decode_batch"), between.lines(rank, "prefill_batch")
    running = batches.column(rank, "decode_batch", "running_requests")
    for row in [row for row in launch.rows("retraction") if row.rank == rank.name and row.get("retracted_requests")]:
        place = int(np.searchsorted(decode, row.ref.line)) - 1
        if place < 0:
            continue
        inside = (prefill > decode[place]) & (prefill < row.ref.line)
        began = (
            float(np.nansum(batches.column(rank, "prefill_batch", "new_sequences")[inside])) if inside.any() else 0.0
        )
        most = running[place] + began
        if row["retracted_requests"] > most:
            return compared(
                f"{row['retracted_requests']:,} requests were retracted and {most:,.0f} can have been running.",
                row.quantity("retracted_requests"),
                at_most(float(most - 1)),
                "running before + Σ #new-seq since − 1",
                batches.ref(rank, "decode_batch", place),
            )
    return None
