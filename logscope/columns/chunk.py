"""Rows of one family in the order of their lines, kept narrow: Arrow makes its columns when they are asked for."""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from logscope.columns.cells import TYPES, Cells, Kind
from logscope.columns.words import Array

NAMES = pa.dictionary(pa.int32(), pa.string())
# The columns that every table has before those of its family.
OWN = {
    "path": NAMES,
    "line": pa.int64(),
    "launch": pa.int32(),
    "rank": NAMES,
    "time": pa.timestamp("ms"),
    "_last_line": pa.int64(),
    "_shape": pa.int32(),
    "_repeats": pa.int64(),
    "_lines": pa.list_(pa.int64()),
    "_decimals": pa.string(),
}


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows of one input. `columns` has `line`, `time` (seconds since 1970-01-01), `rank`, and what was printed."""

    path: str
    columns: Mapping[str, Cells]
    unknown: tuple[str, ...] = ()  # columns that no release had
    count: int = 0

    def kind(self, name: str) -> Kind:
        """The type of a column that this chunk holds."""
        return self.columns[name].kind

    def floats(self, name: str) -> Array:
        """A column of numbers as float64, NaN where a row has none."""
        cells = self.columns.get(name)
        return np.full(self.count, np.nan) if cells is None else cells.floats()

    def arrow(self, name: str, kind: pa.DataType) -> pa.Array:
        """One column in the type that its table has; null where a row has no value."""
        if name in ("path", "rank"):
            cells = (
                self.columns[name]
                if name == "rank"
                else Cells("text", np.zeros(self.count, np.int8), words=(self.path,))
            )
            words = list(dict.fromkeys(cells.words))
            places = np.array([words.index(word) for word in cells.words], np.int32)
            return pa.DictionaryArray.from_arrays(places[cells.values], pa.array(words, pa.string()))
        if name == "time":
            return pa.array(self.columns[name].values.astype(np.int64) * 1000).view(kind)
        if name in ("launch", "_repeats"):
            return pa.array(np.zeros(self.count, np.int64)).cast(kind)
        held = self.columns.get("line" if name == "_last_line" else name)
        return pa.nulls(self.count, kind) if held is None else held.arrow().cast(kind)

    def chosen(self, places: Array) -> Chunk:
        """Some of the rows."""
        columns = {name: cells.chosen(places) for name, cells in self.columns.items()}
        return Chunk(self.path, columns, self.unknown, len(columns["line"].values))

    @property
    def nbytes(self) -> int:
        """The memory that the values take; columns may share their codes."""
        arrays = {id(array): array.nbytes for cells in self.columns.values() for array in cells.arrays}
        return sum(arrays.values())


def concatenated(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks of one input, one behind the other."""
    if len(chunks) == 1:
        return chunks[0]
    names = dict.fromkeys(name for chunk in chunks for name in chunk.columns)
    shared: dict[tuple[int, ...], Array] = {}
    columns = {name: _joined(name, chunks, shared) for name in names}
    unknown = tuple(dict.fromkeys(name for chunk in chunks for name in chunk.unknown))
    return Chunk(chunks[0].path, columns, unknown, sum(chunk.count for chunk in chunks))


def _joined(name: str, chunks: Sequence[Chunk], shared: dict[tuple[int, ...], Array]) -> Cells:
    """One column of several chunks: with the most decimals; spelt out where texts or types differ."""
    found = [chunk.columns.get(name) for chunk in chunks]
    some = [cells for cells in found if cells is not None]
    first = some[0]
    if any(cells.kind != first.kind for cells in some) or any(_other_words(cells, first) for cells in some):
        return _spelt(found, chunks)
    if isinstance(first.values, pa.Array):
        return _strung(found, chunks)
    most = max(cells.decimals for cells in some)
    missing = len(some) < len(found) or any(cells.there is not None for cells in some)
    there = np.concatenate([_there(cells, chunk.count) for cells, chunk in zip(found, chunks, strict=True)])
    values = [
        np.zeros(chunk.count, np.int8) if cells is None else _scaled(cells, most)
        for cells, chunk in zip(found, chunks, strict=True)
    ]
    key = tuple(id(part) for part in values)
    whole = shared.setdefault(key, np.concatenate(values))
    return Cells(first.kind, whole, most, first.words, there if missing else None)


def _other_words(one: Cells, other: Cells) -> bool:
    return one.words is not other.words and one.words != other.words


def _scaled(cells: Cells, decimals: int) -> Array:
    steps = decimals - cells.decimals
    values: Array = cells.values.astype(np.int64) * 10**steps if steps else cells.values
    return values


def _there(cells: Cells | None, count: int) -> Array:
    if cells is None:
        return np.zeros(count, bool)
    return np.ones(count, bool) if cells.there is None else cells.there


def _strung(found: Sequence[Cells | None], chunks: Sequence[Chunk]) -> Cells:
    parts = [
        pa.nulls(chunk.count, pa.string()) if cells is None else cells.values
        for cells, chunk in zip(found, chunks, strict=True)
    ]
    return Cells("text", pa.concat_arrays(parts))


def _spelt(found: Sequence[Cells | None], chunks: Sequence[Chunk]) -> Cells:
    kinds = {cells.kind for cells in found if cells is not None}
    values: list[Any] = []
    for cells, chunk in zip(found, chunks, strict=True):
        values.extend([None] * chunk.count if cells is None else cells.arrow().to_pylist())
    kind: Kind = kinds.pop() if len(kinds) == 1 else "text"
    if kinds:
        values = [None if value is None else str(value) for value in values]
    coded = pa.array(values, TYPES[kind]).dictionary_encode()
    there = np.array([value is not None for value in values])
    codes = coded.indices.fill_null(0).to_numpy(zero_copy_only=False)
    return Cells(
        kind, codes, words=tuple(coded.dictionary.to_pylist()) or (None,), there=None if there.all() else there
    )


class ShelfFile:
    """A file for columns that has no name and is gone when nobody needs it."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="logscope-")  # noqa: SIM115  it lives as long as this object
        self._lock = threading.Lock()
        self._end = 0
        weakref.finalize(self, self._file.close)

    def put(self, array: Array) -> tuple[int, str, int]:
        """Write an array behind what is there; where it lies."""
        self._file.seek(self._end)
        self._end += self._file.write(np.ascontiguousarray(array).data)
        return self._end - array.nbytes, array.dtype.str, len(array)

    def get(self, at: int, kind: str, count: int) -> Array:
        """An array that was put there."""
        with self._lock:
            self._file.seek(at)
            return np.frombuffer(self._file.read(count * np.dtype(kind).itemsize), kind)


class Shelf(Mapping[str, Cells]):
    """Columns that lie in a file and are read from it one at a time."""

    def __init__(self, file: ShelfFile, columns: Mapping[str, Cells]) -> None:
        self._file = file
        self._put_already: dict[int, Any] = {}  # columns may share their codes
        self._columns = {name: cells.moved(self._put) for name, cells in columns.items()}
        self._put_already.clear()

    def _put(self, array: Any) -> Any:
        if id(array) not in self._put_already:
            self._put_already[id(array)] = self._placed(array)
        return self._put_already[id(array)]

    def _placed(self, array: Any) -> Any:
        if not isinstance(array, pa.Array):
            return self._file.put(array)
        _, offsets, data = array.buffers()
        ends = np.frombuffer(offsets, np.int32)[: len(array) + 1]
        return self._file.put(ends), self._file.put(np.frombuffer(data, np.uint8)[: ends[-1]])

    def _get(self, place: Any) -> Any:
        if len(place) == 3:
            return self._file.get(*place)
        offsets, data = (self._file.get(*part) for part in place)
        return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))

    def __getitem__(self, name: str) -> Cells:
        return self._columns[name].moved(self._get)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
