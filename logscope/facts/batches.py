"""Batch lines of a rank as arrays: the series that time-series rules and charts read.

Shapes: one value a line, in the order of the log. Times are seconds since 1970-01-01, NaN where no clock is printed.
All are shared by those who ask, so they cannot be written to: a copy of each took a second of a log of 1 GB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from logscope.errors import FactMissing
from logscope.launch import Kept, Launch, Rank, Row
from logscope.quantity import LineRef

Array = NDArray[np.float64]
_USAGES = (
    "token_usage_share",
    "full_token_usage_share",
    "swa_token_usage_share",
    "mamba_usage_share",
    "gpu_token_usage_share",
)
_SHORT = 10_000  # rows of a table whose columns are kept


def printed(subject: Rank | Launch, table: str, name: str) -> bool:
    """Whether some line prints this column."""
    return _remembered(subject, f"printed:{table}:{name}", lambda: _printed(subject.table(table), name))


def _printed(rows: Any, name: str) -> bool:
    if rows.num_rows == 0 or name not in rows.column_names:
        return False
    return bool(rows.has(name) if hasattr(rows, "has") else rows[name].null_count < rows.num_rows)


def column(subject: Rank | Launch, table: str, name: str) -> Array:
    """One numeric column; NaN where a line does not print it. Raises FactMissing when no line does.

    Not to be written to: whoever asks for a short column again gets the same one.
    """
    if not printed(subject, table, name):
        raise FactMissing(f"no {table} line prints {name}")
    rows = subject.table(table)
    if rows.num_rows > _SHORT:
        return _floats(rows, name)
    return _remembered(subject, f"column:{table}:{name}", lambda: _floats(rows, name))


def column_or(subject: Rank | Launch, table: str, name: str, otherwise: float) -> Array:
    """The column, or the same number for each line where none prints it."""
    if printed(subject, table, name):
        return column(subject, table, name)
    return np.full(subject.table(table).num_rows, otherwise)


def _floats(rows: Any, name: str) -> Array:
    if hasattr(rows, "floats"):  # a large table, whose columns are made when they are asked for
        return _shared(rows.floats(name))
    return _shared(rows[name].cast(pa.float64()).to_numpy(zero_copy_only=False))


def _remembered(subject: Rank | Launch, key: str, make: Callable[[], Kept]) -> Kept:
    launch, rank = (subject, "") if isinstance(subject, Launch) else (subject.launch, subject.name)
    return launch.kept(f"{key}:{rank}", make)


def times(subject: Rank | Launch, table: str) -> Array:
    """The printed clock of each line."""
    rows = subject.table(table)
    if rows.num_rows == 0:
        raise FactMissing(f"there is no {table} line")
    if hasattr(rows, "seconds"):
        return _shared(rows.seconds())
    stamps = rows["time"].cast(pa.int64()).cast(pa.float64()).to_numpy(zero_copy_only=False)
    return _shared(np.asarray(stamps, dtype=np.float64) / 1000.0)


def _shared(values: Array) -> Array:
    made = np.asarray(values, dtype=np.float64).view()
    made.flags.writeable = False
    return made


def pieces(subject: Rank | Launch, table: str, name: str) -> Iterator[tuple[Array, Array]]:
    """The clock and one column, piece by piece: of a large table, not all rows are in memory at a time."""
    rows = subject.table(table)
    if hasattr(rows, "pieces"):
        for piece in rows.pieces():
            yield piece.seconds(), piece.floats(name)
    elif rows.num_rows:
        yield times(subject, table), rows[name].cast(pa.float64()).to_numpy(zero_copy_only=False)


def row(subject: Rank | Launch, table: str, place: int) -> Row:
    """One line as a row; negative places count from the end."""
    rows = subject.table(table)
    if not -rows.num_rows <= place < rows.num_rows:
        raise FactMissing(f"there is no {table} line at {place}")
    return Row(table, rows.slice(place % rows.num_rows, 1).to_pylist()[0])


def ref(subject: Rank | Launch, table: str, place: int) -> LineRef:
    """The physical line of one row."""
    return row(subject, table, place).ref


def share_of(row: Row) -> float:
    """The fullest pool's share at one decode line; raises FactMissing where it prints none."""
    found = [float(row[name]) for name in _USAGES if row.get(name) is not None]
    if not found:
        raise FactMissing("the decode line prints no pool's usage")
    return max(found)


def usage(rank: Rank | Launch) -> Array:
    """The fullest pool's share at each decode line: `token usage`, else the largest of the sub-pools' shares."""
    found = [column(rank, "decode_batch", name) for name in _USAGES if printed(rank, "decode_batch", name)]
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
