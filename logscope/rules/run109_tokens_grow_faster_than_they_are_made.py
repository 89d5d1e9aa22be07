"""The used tokens grow by more than was prefilled and decoded.

What it says
    Between two decode lines the used tokens rise by more than the prefills between them and the decode steps can
    add.

Why it matters
    Prefill lines are missing (a filtered log), or requests came with their KV from another server: what follows
    from the prefill lines alone is not the whole traffic.

Example
    From 2,000 to 9,000 tokens with no prefill line between and 4 requests · 42 steps.

Silent when
    Prefill and decode are separate servers, the model has several pools, the interval is not known, or the growth
    is explained.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, between, limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    launch = rank.launch
    if settings.disaggregated(launch) or settings.caches_elsewhere(launch):
        raise NotApplicable("prefill and decode are separate servers, or another cache locks slots")
    interval = settings.number(launch, "decode_log_interval", "steps")
    used = batches.column(rank, "decode_batch", "used_tokens")
    running = batches.column(rank, "decode_batch", "running_requests")
    came = between.prefilled(rank, "new_tokens", "cached_tokens")
    draft = (
        settings.size(launch, "speculative_num_draft_tokens") if settings.set_to(launch, "speculative_algorithm") else 1
    )
    requests = np.maximum(running, np.concatenate([running[:1], running[:-1]])) + between.prefilled(
        rank, "new_sequences"
    )
    most = came + (interval.value + 2) * requests * draft + limits.page(launch) * (requests + 1)
    grown = between.change(used)
    over = np.flatnonzero(grown > most)
    if not over.size:
        return None
    place = int(over[0])
    row = batches.row(rank, "decode_batch", place)
    return compared(
        f"The used tokens rise by {grown[place]:,.0f} to {used[place]:,.0f}, and the lines between explain {most[place]:,.0f}: prefill lines are missing here.",
        row.quantity("used_tokens"),
        at_most(float(used[place] - grown[place] + most[place])),
        "tokens before + prefilled + (decode_log_interval + 2) · requests",
        batches.ref(rank, "decode_batch", place - 1),
    )
