"""The throughput is more than the running requests can give in that time.

What it says
    throughput · seconds exceeds (decode_log_interval + 1) · requests · accepted length, with a second of rounding
    in hand.

Why it matters
    A decode step gives every running request one token (times what is accepted). Lines are missing in between, the
    number is a sum over replicas, or lines of two servers are mixed.

Example
    4 requests, 40 steps: at most 168 tokens; 500 tok/s over 10 s are 5,000.

Silent when
    The interval of decode lines or a clock is not known, no prefill line is printed, stages or separate servers
    count otherwise, or every line fits.

Source
    `SchedulerMetricsMixin.log_decode_stats` (0.5.10 and later `metrics_reporter.py`).
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
_CLOCK_S, _MOST_ACCEPTED = 1.02, 64.0


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if (
        settings.disaggregated(launch)
        or settings.size(launch, "pp_size") > 1
        or settings.set_to(launch, "dllm_algorithm")
    ):
        raise NotApplicable("steps and requests are counted otherwise here")
    if not rank.table("prefill_batch").num_rows:
        raise FactMissing(f"{rank.name} prints no prefill line, so the requests in between are not known")
    interval = settings.number(launch, "decode_log_interval", "steps")
    rate = batches.column(rank, "decode_batch", "gen_throughput_tok_s")
    running = batches.column(rank, "decode_batch", "running_requests")
    seconds = between.seconds(rank)
    began = between.prefilled(rank, "new_sequences")
    requests = np.maximum(running, np.concatenate([running[:1], running[:-1]])) + began
    accepted = np.ones(len(rate))
    if settings.set_to(launch, "speculative_algorithm"):
        accepted = np.nan_to_num(batches.column(rank, "decode_batch", "accept_length_tokens"), nan=_MOST_ACCEPTED)
    given = rate * (seconds - _CLOCK_S)
    most = (interval.value + 1) * requests * np.maximum(accepted, 1.0) * 1.03
    over = np.flatnonzero((given > most) & (np.arange(len(rate)) > 0))
    if not over.size:
        return None
    place = int(over[0])
    row = batches.row(rank, "decode_batch", place)
    wanted = at_most(float(most[place] / max(seconds[place] - _CLOCK_S, 1e-3)))
    return compared(
        f"{row['gen_throughput_tok_s']:,.1f} tok/s over {seconds[place]:.0f} s are more than {requests[place]:.0f} requests give in {interval.value:.0f} steps: lines are missing or those of several servers are mixed.",
        row.quantity("gen_throughput_tok_s"),
        wanted,
        "(decode_log_interval + 1) · requests · accepted length ÷ seconds",
        interval.line,
    )
