"""Batch lines of a rank as arrays: the series that time-series rules and charts read.

Shapes: one value a line, in the order of the log. Times are seconds since 1970-01-01, NaN where no clock is printed.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from logscope.errors import FactMissing
from logscope.launch import Launch, Rank, Row
from logscope.quantity import LineRef

Array = NDArray[np.float64]


def column(subject: Rank | Launch, table: str, name: str) -> Array:
    """One numeric column; NaN where a line does not print it. Raises FactMissing when no line does."""
    rows = subject.table(table)
    if hasattr(rows, "floats"):  # a large table, whose columns are made when they are asked for
        if name in rows.column_names and rows.has(name):
            return np.array(rows.floats(name))
        raise FactMissing(f"no {table} line prints {name}")
    if rows.num_rows == 0 or name not in rows.column_names or rows[name].null_count == rows.num_rows:
        raise FactMissing(f"no {table} line prints {name}")
    values = rows[name].cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.asarray(values, dtype=np.float64)


def times(subject: Rank | Launch, table: str) -> Array:
    """The printed clock of each line."""
    rows = subject.table(table)
    if rows.num_rows == 0:
        raise FactMissing(f"there is no {table} line")
    if hasattr(rows, "seconds"):
        return np.array(rows.seconds())
    stamps = rows["time"].cast(pa.int64()).cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.asarray(stamps, dtype=np.float64) / 1000.0


def row(subject: Rank | Launch, table: str, place: int) -> Row:
    """One line as a row; negative places count from the end."""
    rows = subject.table(table)
    if not -rows.num_rows <= place < rows.num_rows:
        raise FactMissing(f"there is no {table} line at {place}")
    return Row(table, rows.slice(place % rows.num_rows, 1).to_pylist()[0])


def ref(subject: Rank | Launch, table: str, place: int) -> LineRef:
    """The physical line of one row."""
    return row(subject, table, place).ref


def usage(rank: Rank | Launch) -> Array:
    """The fullest pool's share at each decode line: `token usage`, else the largest of the sub-pools' shares."""
    rows = rank.table("decode_batch")
    names = (
        "token_usage_share",
        "full_token_usage_share",
        "swa_token_usage_share",
        "mamba_usage_share",
        "gpu_token_usage_share",
    )
    found = [
        column(rank, "decode_batch", name)
        for name in names
        if name in rows.column_names and rows[name].null_count < rows.num_rows
    ]
    if not found:
        raise FactMissing("no decode line prints a pool's usage")
    highest: Array = np.fmax.reduce(found)
    return highest


def fullest(subject: Rank | Launch) -> tuple[LineRef, ...]:
    """The decode line with the fullest pool; nothing where no line tells."""
    try:
        told = usage(subject)
    except FactMissing:
        return ()
    return (ref(subject, "decode_batch", int(np.nanargmax(told))),) if np.isfinite(told).any() else ()
