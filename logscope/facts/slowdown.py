"""Where decoding became slower and stayed so although its load did not change: the change point of a rank's rates.

A printed rate is an average since the line before, so one low rate proves nothing. It is a slowdown where eight lines
in a row, none with a prefill in its time, run at less than a third of the speed of the eight such before them, for
half a minute or more, with the same requests, the same graph flag and hardly more tokens, and where their clocks agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logscope.errors import FactMissing, NotChecked
from logscope.facts import batches, between
from logscope.facts.batches import Array
from logscope.launch import Launch, Rank, Row

_LINES = 8
_SLOWER = 1 / 3
_LASTS_S = 30.0  # a host that is busy elsewhere for some seconds slows a server that is well
_ALIKE = 1.25  # the most requests of the lines that are compared ÷ the fewest
_LONGER = 1.5  # tokens behind the change ÷ tokens before it
_CLOCK = 1.3  # how much longer the slow lines take, by their clocks: they are printed in whole seconds


@dataclass(frozen=True, slots=True)
class Slowdown:
    """The last line before the change, the first and the last slow one, and the medians of eight lines on each side."""

    before: Row
    first: Row
    last: Row
    rate_before: float
    rate_after: float
    running: int
    lines: int  # how many in a row are slow
    lasts: bool  # to the last line that has this load


def slowdown(launch: Launch) -> Slowdown:
    """The first change point of any rank; raises FactMissing where decoding kept its speed."""
    found = [one for name in launch.ranks for one in _of_rank(launch.rank(name))]
    if not found:
        raise FactMissing("no rank decodes slower at an unchanged load")
    return min(found, key=lambda one: one.first.ref)


def _of_rank(rank: Rank) -> Iterator[Slowdown]:
    try:
        yield from _change(rank)
    except NotChecked:
        return


def _change(rank: Rank) -> Iterator[Slowdown]:
    rate = batches.column(rank, "decode_batch", "gen_throughput_tok_s")
    running = batches.column(rank, "decode_batch", "running_requests")
    clean = np.isfinite(rate) & (running > 0) & (between.prefilled(rank, "new_tokens") == 0)
    places = np.flatnonzero(clean)
    speed = (rate / _accepted(rank))[places]
    starts = np.flatnonzero(speed[1:] < _SLOWER * speed[:-1]) + 1
    starts = starts[(starts >= _LINES) & (starts <= len(places) - _LINES)]
    if not len(starts):
        return
    took = between.seconds(rank)
    span = np.arange(_LINES)
    old, new = starts[:, None] - 1 - span, starts[:, None] + span
    slow = speed[new].max(axis=1) < _SLOWER * np.median(speed[old], axis=1)
    for start in starts[slow & _same_load(rank, places, old, new)]:
        usual = float(np.median(speed[start - _LINES : start]))
        fast = np.flatnonzero(speed[start:] >= _SLOWER * usual)
        end = int(start + (fast[0] if len(fast) else len(speed) - start))
        if took[places[start:end]].sum() < _LASTS_S:
            continue
        yield Slowdown(
            batches.row(rank, "decode_batch", int(places[start - 1])),
            batches.row(rank, "decode_batch", int(places[start])),
            batches.row(rank, "decode_batch", int(places[end - 1])),
            float(np.median(rate[places[start - _LINES : start]])),
            float(np.median(rate[places[start : start + _LINES]])),
            int(running[places[start]]),
            end - int(start),
            not len(fast),
        )
        return


def _same_load(
    rank: Rank, places: NDArray[np.int64], old: NDArray[np.int64], new: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether requests, tokens and graphs are those of before, and the clocks agree that each line took longer."""
    sides = places[np.concatenate([old, new], axis=1)]
    running = batches.column(rank, "decode_batch", "running_requests")[sides]
    alike = running.max(axis=1) <= _ALIKE * running.min(axis=1)
    used = batches.column_or(rank, "decode_batch", "used_tokens", 1.0)
    alike &= np.median(used[places[new]], axis=1) <= _LONGER * np.median(used[places[old]], axis=1)
    graph = batches.column_or(rank, "decode_batch", "graph", 1.0)[sides]
    alike &= (graph == graph[:, :1]).all(axis=1)
    took = between.seconds(rank)
    return np.asarray(alike & (np.median(took[places[new]], axis=1) >= _CLOCK * np.median(took[places[old]], axis=1)))


def _accepted(rank: Rank) -> Array:
    """Tokens a step: one, or what of a draft was accepted, which is another reason to be slow."""
    accepted = batches.column_or(rank, "decode_batch", "accept_length_tokens", 1.0)
    return np.where(accepted > 0, accepted, 1.0)
