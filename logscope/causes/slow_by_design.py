"""Slow, and the log shows why.

What it is
    A steady rhythm of slow steps, an average over a pause, the drain of a benchmark, or decoding without graphs.

How to tell
    The interval between lines is constant and the printed rate is tokens ÷ interval; or one low rate stands after a pause
    or a prefill while its neighbours are normal.

Not to be taken for
    A hang: the gaps are the cadence. A collapse: the next line of the same rank says otherwise.

What to do
    Nothing is broken. Compare with what the hardware can do; use rates only between lines of one steady stretch.

Source
    `log_decode_stats`, `log_prefill_stats` (`scheduler_metrics_mixin.py`): rates are averages since the line before.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts import batches, notable
from logscope.facts.cadence import cadence
from logscope.finding import Hypothesis, Way
from logscope.wording import duration

WAY: Way = "leave"
TITLE = "Slow, and the log shows why"
_SLOW_S = 10.0
_LEAST_TOKENS = 64  # a probe prefills one token, as often as it is asked


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A slow steady cadence, or a rate that only a pause explains."""
    if case.died or case.originators:
        return
    for told, weight in _reasons(case):
        lines = sorted({*notable.lines(case.launch)[:14], *notable.odd(case.launch)[:4]})
        yield Hypothesis(
            cause="slow_by_design",
            weight=weight,
            sentence=f"Nothing failed; it is slow for a reason that the log shows: {told}.",
            evidence=tuple(lines),
            confidence="likely",
            fraction=WAY,
            at=lines[0] if lines else None,
        )


def _reasons(case: Case) -> Iterator[tuple[str, float]]:
    try:
        found = cadence(case.launch, "prefill_batch")
        if found.steady and found.median_s >= _SLOW_S and _only_prefills(case):
            sizes = batches.column(case.launch, "prefill_batch", "new_tokens")
            rate = float(np.nanmedian(sizes)) / found.median_s
            if float(np.nanmedian(sizes)) < _LEAST_TOKENS:
                return
            yield (
                f"every prefill chunk takes {duration(found.median_s)} without drift, {rate:.1f} tokens a second: the gaps are the cadence, not a hang",
                0.6,
            )
    except NotChecked:
        pass
    try:
        yield from _artefact(case)
    except NotChecked:
        pass


def _only_prefills(case: Case) -> bool:
    """Whether chunk follows chunk: decode lines between them would mean that the gaps are not one chunk's time."""
    return bool(case.launch.table("decode_batch").num_rows <= case.launch.table("prefill_batch").num_rows / 3)


def _artefact(case: Case) -> Iterator[tuple[str, float]]:
    """One rate far below its neighbours of the same load: an average over a prefill or a pause."""
    rates = batches.column(case.launch, "decode_batch", "gen_throughput_tok_s")
    running = batches.column(case.launch, "decode_batch", "running_requests")
    if len(rates) < 2 or len(rates) > 40 or case.launch.has("capacity", "ready"):
        return
    for place in range(len(rates) - 1):
        if running[place] >= running[place + 1] > 1 and 0 < rates[place] < 0.5 * rates[place + 1]:
            yield (
                f"{rates[place]:.0f} tokens a second with {running[place]:.0f} running stand before {rates[place + 1]:.0f} with {running[place + 1]:.0f}: the first is an average over a prefill or a pause",
                0.4,
            )
            return
