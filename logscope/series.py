"""What the batch lines of a launch show over time, thinned to what a chart can draw: one series a rank and quantity.

Each series is binned: `t` seconds since the start of the launch, `lo` and `hi` the least and the largest value of the
bin, `rows` how many lines went into all of them. `flags` marks throughput bins that hold interval artefacts only:
printed throughput is an average since the line before, so it is no rate after a pause.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.batches import Array
from logscope.launch import Launch, Rank

_MOST_BINS = 400
_MOST_RANKS = 16
_ARTEFACT = 3.0  # times the median interval between two lines of a rank


@dataclass(frozen=True, slots=True)
class Shown:
    """One quantity to draw: where it stands and what it is called."""

    table: str
    column: str
    label: str
    unit: str


SHOWN = (
    Shown("decode_batch", "token_usage_share", "token usage", "share"),
    Shown("decode_batch", "full_token_usage_share", "full pool usage", "share"),
    Shown("decode_batch", "swa_token_usage_share", "sliding-window pool usage", "share"),
    Shown("decode_batch", "mamba_usage_share", "state pool usage", "share"),
    Shown("decode_batch", "running_requests", "running requests", "requests"),
    Shown("decode_batch", "queued_requests", "queued requests", "requests"),
    Shown("prefill_batch", "pending_tokens", "pending tokens", "tokens"),
    Shown("decode_batch", "gen_throughput_tok_s", "generation throughput", "tok/s"),
    Shown("prefill_batch", "input_throughput_tok_s", "input throughput", "tok/s"),
    Shown("decode_batch", "accept_length_tokens", "accept length", "tokens"),
    Shown("decode_batch", "transfer_requests", "requests in transfer", "requests"),
)


def series_of(launch: Launch, start: float | None) -> Iterator[dict[str, Any]]:
    """All series of a launch, ranks in order; nothing where no clock is printed."""
    if start is None:
        return
    workers = [name for name in launch.ranks if name != "main"][:_MOST_RANKS]
    for shown in SHOWN:
        for name in workers:
            try:
                yield _series(launch.rank(name), shown, start)
            except NotChecked:
                continue


def _series(rank: Rank, shown: Shown, start: float) -> dict[str, Any]:
    values = batches.column(rank, shown.table, shown.column)
    times = batches.times(rank, shown.table) - start
    there = np.isfinite(values) & np.isfinite(times)
    values, times = values[there], times[there]
    artefact = _artefacts(times) if shown.unit == "tok/s" else np.zeros(len(times), bool)
    edges = _edges(times)
    t, lo, hi, flags = [], [], [], []
    for begin, end in itertools.pairwise(edges):
        if begin == end:
            continue
        t.append(round(float(times[begin]), 3))
        lo.append(float(values[begin:end].min()))
        hi.append(float(values[begin:end].max()))
        flags.append(int(artefact[begin:end].all()))
    made = {
        "name": shown.column,
        "label": shown.label,
        "unit": shown.unit,
        "rank": rank.name,
        "t": t,
        "lo": lo,
        "hi": hi,
        "rows": len(values),
    }
    return made | ({"flags": flags} if any(flags) else {})


def _edges(times: Array) -> list[int]:
    """Bounds of the bins: one line a bin while there are few, equal spans of time beyond."""
    if len(times) <= _MOST_BINS:
        return list(range(len(times) + 1))
    cuts = np.linspace(times.min(), times.max(), _MOST_BINS + 1)[1:-1]
    return [0, *np.searchsorted(np.maximum.accumulate(times), cuts).tolist(), len(times)]


def _artefacts(times: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Lines whose interval is far beyond the usual one, and the first line."""
    found = np.zeros(len(times), bool)
    if len(times) < 3:
        return found
    gaps = np.diff(times)
    usual = max(float(np.median(gaps)), 1.0)
    found[0] = True
    found[1:] = gaps > _ARTEFACT * usual
    return found
