"""A table whose columns are made when they are asked for: as a `pyarrow.Table` to look at, but narrow in memory.

Its parts are chunks, which were read by column, and ordinary tables where some lines had to be read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope.columns.cells import TYPES
from logscope.columns.chunk import OWN, Chunk
from logscope.columns.words import Array
from logscope.shapes import families

_MOST_CACHED_BYTES = 32 << 20

Part: TypeAlias = Chunk | Any  # else an Arrow table


class Deferred:
    """The rows of one hot family. What is not here is there in the table that `table()` makes of it."""

    def __init__(
        self, name: str, parts: Sequence[Part], rows: Array | None = None, launches: Array | None = None
    ) -> None:
        self.name = name
        self.parts = tuple(parts)
        self.rows = rows  # which rows of the parts, in order; None: all
        self.launches = launches  # of each row of the parts; None: the first
        self._all = sum(_count(part) for part in self.parts)
        self._kinds = _kinds(name, self.parts)
        self._floats: dict[str, Array] = {}

    @property
    def num_rows(self) -> int:
        return self._all if self.rows is None else len(self.rows)

    def __len__(self) -> int:
        return self.num_rows

    @property
    def column_names(self) -> list[str]:
        return list(self._kinds)

    @property
    def schema(self) -> pa.Schema:
        return pa.schema(list(self._kinds.items()))

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        """One column."""
        return self.column(name)

    def column(self, which: str | int) -> pa.ChunkedArray:
        """One column, by its name or its place."""
        name = self.column_names[which] if isinstance(which, int) else which
        kind = self._kinds[name]
        if name == "launch" and self.launches is not None:
            return self._chosen(pa.chunked_array([pa.array(self.launches, pa.int32())]))
        found = [_column(part, name, kind) for part in self.parts]
        column = pa.chunked_array(found, kind)
        if pa.types.is_dictionary(kind):
            column = column.unify_dictionaries()
        return self._chosen(column)

    def _chosen(self, column: pa.ChunkedArray) -> pa.ChunkedArray:
        if self.rows is None:
            return column
        taken = column.combine_chunks().take(pa.array(self.rows))
        return taken if isinstance(taken, pa.ChunkedArray) else pa.chunked_array([taken], column.type)

    def __getattr__(self, name: str) -> Any:
        # Whatever else a table can do, the table that is made of it does.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.table(), name)

    def floats(self, name: str) -> Array:
        """A column of numbers as float64, NaN where a row has none; not to be written to."""
        if name not in self._floats:
            made = self._made_floats(name)
            made.flags.writeable = False
            if sum(array.nbytes for array in self._floats.values()) + made.nbytes > _MOST_CACHED_BYTES:
                return made
            self._floats[name] = made
        return self._floats[name]

    def seconds(self) -> Array:
        """Seconds since 1970-01-01 of each row, NaN where no clock is printed."""
        return self.floats("time")

    def pieces(self) -> Iterator[Deferred]:
        """The same rows in order, one part after the other where they are all of them."""
        if self.rows is not None or self.launches is not None:
            yield self
            return
        for part in self.parts:
            yield Deferred(self.name, [part])

    def _made_floats(self, name: str) -> Array:
        # Filled part by part: all parts and the whole beside each other would be twice the memory.
        whole = np.full(self._all, np.nan)
        end = 0
        for part in self.parts:
            begin, end = end, end + _count(part)
            if isinstance(part, Chunk):
                whole[begin:end] = part.floats(name)
            elif name in part.column_names:
                whole[begin:end] = _floats(part[name])
        return whole if self.rows is None else whole[self.rows]

    def mapped(self, name: str, change: Callable[[Any], Any]) -> pa.ChunkedArray:
        """One column with something done to each part of it: of long texts, only one part is in memory at a time."""
        made = [change(_column(part, name, self._kinds[name])) for part in self.parts]
        return self._chosen(pa.chunked_array(made))

    def has(self, name: str) -> bool:
        """Whether some row has a value in this column."""
        if self.rows is not None:
            return name in self._kinds and bool(self[name].null_count < self.num_rows)
        return any(
            name in part.columns
            if isinstance(part, Chunk)
            else name in part.column_names and part[name].null_count < len(part)
            for part in self.parts
        )

    def filter(self, mask: Any, *_: Any, **__: Any) -> Deferred:
        """The rows for which the mask is true."""
        flags = mask.combine_chunks() if isinstance(mask, pa.ChunkedArray) else mask
        picked = np.flatnonzero(pc.fill_null(flags, False).to_numpy(zero_copy_only=False))
        return self._picked(picked)

    def slice(self, offset: int = 0, length: int | None = None) -> Deferred:
        """Consecutive rows."""
        stop = self.num_rows if length is None else min(offset + length, self.num_rows)
        return self._picked(np.arange(offset, max(stop, offset)))

    def take(self, places: Any) -> Deferred:
        """The rows at these places."""
        return self._picked(np.asarray(places, dtype=np.int64))

    def _picked(self, picked: Array) -> Deferred:
        rows = picked if self.rows is None else self.rows[picked]
        return Deferred(self.name, self.parts, rows, self.launches)

    def of_launch(self, launch: int) -> Deferred:
        """The rows of one launch."""
        if self.launches is None:
            return self if launch == 0 else self._picked(np.zeros(0, np.int64))
        inside = self.launches == launch if self.rows is None else self.launches[self.rows] == launch
        return self if inside.all() else self._picked(np.flatnonzero(inside))

    def named(self, column: str, wanted_name: str) -> Deferred:
        """The rows of one rank or path."""
        names = self[column].combine_chunks()
        codes = names.indices.to_numpy(zero_copy_only=False)
        wanted = [code for code, name in enumerate(names.dictionary.to_pylist()) if name == wanted_name]
        inside = np.isin(codes, wanted)
        return self if inside.all() else self._picked(np.flatnonzero(inside))

    def set_column(self, place: int, name: str, column: Any) -> Any:
        """The same with another column in one place: what the launches are is kept, all else gives a table."""
        if name == "launch":
            return self.numbered(column.to_numpy(zero_copy_only=False))
        return self.table().set_column(place, name, column)

    def numbered(self, launches: Array) -> Deferred:
        """The same with the launch of each row."""
        if not launches.any():
            return Deferred(self.name, self.parts, self.rows)
        if self.rows is not None:
            whole = np.zeros(self._all, np.int16)
            whole[self.rows] = launches
            launches = whole
        return Deferred(self.name, self.parts, self.rows, launches.astype(np.int16))

    def table(self) -> pa.Table:
        """All of it as an ordinary table."""
        small = self._small()
        return pa.table({name: small.column(name) for name in self._kinds})

    def _small(self) -> Deferred:
        """The same rows in parts that hold no others, where they are in the order of the parts."""
        if self.rows is None:
            return self
        ends = np.cumsum([_count(part) for part in self.parts])
        which = np.searchsorted(ends, self.rows, side="right")
        if (np.diff(which) < 0).any():
            return self
        parts: list[Part] = []
        for number in np.unique(which):
            part, rows = self.parts[number], self.rows[which == number] - (ends[number] - _count(self.parts[number]))
            parts.append(part.chosen(rows) if isinstance(part, Chunk) else part.take(pa.array(rows)))
        smaller = Deferred(self.name, parts, None, None if self.launches is None else self.launches[self.rows])
        smaller._kinds = self._kinds
        return smaller

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        rows: list[dict[str, Any]] = self.table().to_pylist()
        return rows

    def select(self, names: Sequence[str]) -> pa.Table:
        """Some columns, as an ordinary table."""
        return pa.table({name: self.column(name) for name in names})

    def batches(self, rows: int = 1 << 18) -> Iterator[pa.Table]:
        """All of it as ordinary tables of so many rows, one at a time."""
        for start in range(0, self.num_rows, rows):
            yield self.slice(start, rows).table()


def together(found: Sequence[Deferred]) -> Deferred:
    """The tables of several inputs, one behind the other."""
    name = next(table.name for table in found if table.name)
    parts = [part for table in found for part in table.parts]
    if all(table.rows is None for table in found):
        return Deferred(name, parts)
    rows, before = [], 0
    for table in found:
        rows.append((np.arange(table.num_rows) if table.rows is None else table.rows) + before)
        before += sum(_count(part) for part in table.parts)
    return Deferred(name, parts, np.concatenate(rows))


def _count(part: Part) -> int:
    return part.count if isinstance(part, Chunk) else int(part.num_rows)


def _kinds(name: str, parts: Sequence[Part]) -> dict[str, pa.DataType]:
    """The type of each column: those of the family, and one for each key that no release had."""
    kinds = {**OWN, **{column.name: TYPES[column.type] for column in families()[name].columns}}
    found: dict[str, set[pa.DataType]] = {}
    for part in parts:
        if isinstance(part, Chunk):
            for own in part.unknown:
                if own not in kinds:
                    found.setdefault(own, set()).add(TYPES[part.kind(own)])
        else:
            for field in part.schema:
                if field.name not in kinds:
                    found.setdefault(field.name, set()).add(field.type)
    return kinds | {own: types.pop() if len(types) == 1 else pa.string() for own, types in sorted(found.items())}


def _column(part: Part, name: str, kind: pa.DataType) -> pa.Array:
    if isinstance(part, Chunk):
        if name in part.unknown and TYPES[part.kind(name)] != kind:
            return _spelt(part.arrow(name, TYPES[part.kind(name)]))
        return part.arrow(name, kind)
    if name not in part.column_names:
        return pa.nulls(part.num_rows, kind)
    column = part[name].combine_chunks()
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column if column.type == kind else _spelt(column)


def _floats(column: pa.ChunkedArray) -> Array:
    if pa.types.is_timestamp(column.type):
        seconds: Array = column.cast(pa.int64()).cast(pa.float64()).to_numpy(zero_copy_only=False) / 1000.0
        return seconds
    floats: Array = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return floats


def _spelt(column: pa.Array) -> pa.Array:
    return pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())
