"""What a rank scheduled between two of its decode lines: prefills, requests, tokens, seconds.

Shapes: one value a decode line; the first is what came before it, and 0 seconds. All arrays, whatever their length.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.facts.batches import Array
from logscope.launch import Rank


def lines(rank: Rank, table: str) -> Array:
    """The line numbers of a table; raises FactMissing where they come from several inputs."""
    rows = rank.table(table)
    if rows.num_rows and pc.count_distinct(rows["path"].cast(pa.string())).as_py() > 1:
        raise FactMissing("the lines of one launch come from several inputs")
    return np.asarray(rows["line"].to_numpy() if rows.num_rows else [], dtype=np.float64)


def prefilled(rank: Rank, *names: str) -> Array:
    """The sum of some columns over the prefill lines since the decode line before."""
    decode, prefill = lines(rank, "decode_batch"), lines(rank, "prefill_batch")
    if not len(prefill):
        return np.zeros(len(decode))
    total = np.zeros(len(prefill))
    for name in names:
        total += np.nan_to_num(batches.column(rank, "prefill_batch", name))
    sums = np.concatenate([[0.0], np.cumsum(total)])
    upto = sums[np.searchsorted(prefill, decode)]
    return np.diff(upto, prepend=0.0)


def seconds(rank: Rank) -> Array:
    """Seconds since the decode line before, as printed; NaN where a clock is missing."""
    times = batches.times(rank, "decode_batch")
    return np.diff(times, prepend=times[:1])


def change(values: Array) -> Array:
    """By how much each value differs from the one before it; 0 for the first."""
    return np.diff(values, prepend=values[:1])
