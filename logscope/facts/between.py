"""What a rank scheduled between two of its decode lines: prefills, requests, tokens, seconds.

Shapes: one value a decode line; the first is what came before it, and 0 seconds. All arrays, whatever their length.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.facts.batches import Array
from logscope.launch import Rank


def lines(rank: Rank, table: str) -> NDArray[np.int64]:
    """The line numbers of a table; raises FactMissing where they come from several inputs."""
    rows = rank.table(table)
    if rows.num_rows and len(rows["path"].unify_dictionaries().unique()) > 1:
        raise FactMissing("the lines of one launch come from several inputs")
    return np.asarray(rows["line"].to_numpy() if rows.num_rows else [], dtype=np.int64)


def prefilled(rank: Rank, *names: str) -> Array:
    """The sum of some columns over the prefill lines since the decode line before."""
    places = _places(rank)
    if not rank.table("prefill_batch").num_rows:
        return np.zeros(len(places))
    total = sum(np.nan_to_num(batches.column(rank, "prefill_batch", name)) for name in names)
    sums = np.concatenate([[0.0], np.cumsum(total)])
    return np.diff(sums[places], prepend=0.0)


def _places(rank: Rank) -> NDArray[np.int64]:
    """How many prefill lines stand before each decode line; kept, because several rules ask."""

    def found() -> NDArray[np.int64]:
        return np.searchsorted(lines(rank, "prefill_batch"), lines(rank, "decode_batch"))

    return rank.launch.kept(f"between:{rank.name}", found)


def seconds(rank: Rank) -> Array:
    """Seconds since the decode line before, as printed; NaN where a clock is missing."""
    times = batches.times(rank, "decode_batch")
    return np.diff(times, prepend=times[:1])


def change(values: Array) -> Array:
    """By how much each value differs from the one before it; 0 for the first."""
    return np.diff(values, prepend=values[:1])
