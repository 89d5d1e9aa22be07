"""Requests were retracted although the pool had room.

What it says
    The decode line before a retraction, with all that was prefilled and decoded since, leaves more room than the
    batch needs.

Why it matters
    A retraction happens only when the next step does not fit. Another pool (windows, states) is the full one, the
    test mode is on, or the lines belong to different ranks.

Example
    token usage: 0.40 on the line before `KV cache pool is full`.

Silent when
    The model has several pools, prefill and decode are separate servers, the test mode says so, no line stands
    before, or the pool was full.

Source
    `ScheduleBatch.check_decode_mem`, `Scheduler.update_running_batch`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, between, limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "retraction", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    launch = rank.launch
    if settings.disaggregated(launch) or settings.caches_elsewhere(launch) or not rank.table("prefill_batch").num_rows:
        raise NotApplicable("not everything that holds slots is in the batch lines")
    pool = limits.pool(rank)
    interval = settings.number(launch, "decode_log_interval", "steps").value
    decode, prefill = between.lines(rank, "decode_batch"), between.lines(rank, "prefill_batch")
    used = batches.column(rank, "decode_batch", "used_tokens")
    running = batches.column(rank, "decode_batch", "running_requests")
    steps = settings.size(launch, "speculative_num_draft_tokens") + limits.page(launch)
    for row in [row for row in launch.rows("retraction") if row.rank == rank.name]:
        place = int(np.searchsorted(decode, row.ref.line)) - 1
        if place < 0:
            continue
        inside = (prefill > decode[place]) & (prefill < row.ref.line)
        came = began = 0.0
        if inside.any():
            came = float(
                np.nansum(
                    batches.column(rank, "prefill_batch", "new_tokens")[inside]
                    + batches.column(rank, "prefill_batch", "cached_tokens")[inside]
                )
            )
            began = float(np.nansum(batches.column(rank, "prefill_batch", "new_sequences")[inside]))
        most = used[place] + came + (running[place] + began) * (interval + 2) * steps + 0.01 * pool.value
        if most < pool.value:
            before = batches.row(rank, "decode_batch", place)
            return compared(
                f"Requests were retracted for a full pool; {before['used_tokens']:,} of {pool.value:,.0f} tokens were in use on the line before, at most {most:,.0f} by then.",
                before.quantity("used_tokens"),
                at_least(float(pool.value - (most - used[place]))),
                "pool − what the lines since can have added",
                row.ref,
                pool.line,
            )
    return None
