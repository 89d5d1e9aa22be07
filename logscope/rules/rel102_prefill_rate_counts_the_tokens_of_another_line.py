"""The prefill rate counts the tokens of another line than this release does.

What it says
    rate · seconds gives the tokens of the line before in 0.4.8–0.5.10 and of the same line from 0.5.11 on; most
    lines here give the other.

Why it matters
    The release is another one than the other lines say, or prefill lines are missing between.

Example
    8192 tokens and 4096 before it, 2.0 s apart, rate 2,048: the line before.

Silent when
    Fewer than five lines can tell, no rate or no clock is printed, the range of releases crosses the change, or the
    lines fit.

Source
    `log_prefill_stats`, 0.5.11 and later `report_prefill_stats`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged
from logscope.sglang.releases import order

SEVERITY = "note"
KIND = "mismatch"
_CLOCK_S = 1.02


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "prefill_batch", _of)


def _of(rank: Rank) -> Finding | None:
    same = rank.launch.release.ask(lambda release: order(release) >= order("0.5.11"))
    rate = batches.column(rank, "prefill_batch", "input_throughput_tok_s")
    tokens = batches.column(rank, "prefill_batch", "new_tokens")
    times = batches.times(rank, "prefill_batch")
    gaps = np.diff(times)
    with np.errstate(divide="ignore", invalid="ignore"):
        own, before = tokens[1:] / rate[1:], tokens[:-1] / rate[1:]
        apart = np.abs(own - before) > 2 * _CLOCK_S
    tells = np.isfinite(gaps) & np.isfinite(own) & np.isfinite(before) & apart
    fits_own, fits_before = tells & (np.abs(own - gaps) <= _CLOCK_S), tells & (np.abs(before - gaps) <= _CLOCK_S)
    if tells.sum() < 5:
        raise FactMissing("fewer than five prefill lines tell whose tokens the rate counts")
    wanted, other = (fits_own, fits_before) if same else (fits_before, fits_own)
    if other.sum() < 0.8 * tells.sum() or wanted.sum() > 0.2 * tells.sum():
        return None
    place = int(np.flatnonzero(other)[0]) + 1
    row = batches.row(rank, "prefill_batch", place)
    counted = "line before" if same else "same line"
    computed = float((tokens[place] if same else tokens[place - 1]) / max(gaps[place - 1], 1e-3))
    return compared(
        f"On {int(other.sum())} of {int(tells.sum())} prefill lines the rate counts the tokens of the {counted}; {rank.launch.release} counts the other.",
        row.quantity("input_throughput_tok_s"),
        computed,
        "#new-token of the same line ÷ seconds" if same else "#new-token of the line before ÷ seconds",
        batches.ref(rank, "prefill_batch", place - 1),
    )
