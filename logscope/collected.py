"""The rows of one log, block by block: narrow in memory, beyond a limit in a temporary file.

Hot families come as columns. What is read line by line comes as rows, and only where it is much: a log may be nothing
but tracebacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from logscope import tables
from logscope.columns.chunk import Chunk, Shelf, ShelfFile, concatenated
from logscope.columns.deferred import Deferred, Part
from logscope.columns.shelved import Shelved
from logscope.parse import Row
from logscope.reading import Taken

_JOIN_ROWS = 1 << 17  # chunks are joined until they have so many rows
_SMALL_ROWS = 100_000  # so few are an ordinary table
_MOST_BYTES = 96 << 20  # of columns in memory; what comes later is kept in a file


class Collected:
    """Takes the rows of one input after the other; `of_input` gives what came since the last input began."""

    def __init__(self, *, most_bytes: int = _MOST_BYTES, small_rows: int = _SMALL_ROWS) -> None:
        self._most_bytes, self._small_rows = most_bytes, small_rows
        self._bytes = 0
        self._file: ShelfFile | None = None
        self._parts: dict[str, list[Part]] = {}
        self._pending: dict[str, list[Chunk]] = {}

    def add(self, found: Mapping[str, Taken], path: str) -> None:
        """Take the rows of one block."""
        for name, taken in found.items():
            if taken.rows:
                self._flush(name)
                self._parts.setdefault(name, []).append(_mixed(name, taken, path))
            elif taken.chunk is not None:
                pending = self._pending.setdefault(name, [])
                pending.append(taken.chunk[0])
                if sum(chunk.count for chunk in pending) >= _JOIN_ROWS:
                    self._flush(name)

    def add_rows(self, found: Mapping[str, Sequence[Row]], path: str, *, show_prompts: bool) -> None:
        """Take rows of other families, none of them to be changed any more."""
        for name, rows in found.items():
            table = tables.of_rows(name, rows, path, show_prompts=show_prompts)
            put_away = self._bytes + table.nbytes > self._most_bytes
            self._bytes += 0 if put_away else table.nbytes
            self._parts.setdefault(name, []).append(Shelved(self._shelf(), table) if put_away else table)

    def of_input(self) -> dict[str, pa.Table | Deferred]:
        """The table of each family in the order of the input's lines; the next input begins afresh."""
        for name in list(self._pending):
            self._flush(name)
        made = {name: self._made(name, parts) for name, parts in self._parts.items()}
        self._parts = {}
        return made

    def _made(self, name: str, parts: Sequence[Part]) -> pa.Table | Deferred:
        if len(parts) == 1 and isinstance(parts[0], pa.Table):
            return parts[0]
        table = _in_order(name, parts)
        return table.table() if table.num_rows <= self._small_rows else table

    def _shelf(self) -> ShelfFile:
        self._file = self._file or ShelfFile()
        return self._file

    def _flush(self, name: str) -> None:
        pending = self._pending.pop(name, [])
        if not pending:
            return
        chunk = concatenated(pending)
        if self._bytes + chunk.nbytes > self._most_bytes:
            chunk = Chunk(chunk.path, Shelf(self._shelf(), chunk.columns), chunk.unknown, chunk.count)
        else:
            self._bytes += chunk.nbytes
        self._parts.setdefault(name, []).append(chunk)


def _mixed(name: str, taken: Taken, path: str) -> pa.Table:
    """One block's rows of both kinds in the order of their lines."""
    rows = tables.of_rows(name, taken.rows, path, show_prompts=False)
    if taken.chunk is None:
        return rows
    chunk, places = taken.chunk
    of_rows = taken.places[np.argsort([row.line for row in taken.rows], kind="stable")]
    both = Deferred(name, [chunk, rows]).table()
    order = np.lexsort((np.concatenate([places, of_rows]), both["line"].to_numpy()))
    return both.take(pa.array(order))


def _in_order(name: str, parts: Sequence[Part]) -> Deferred:
    """The parts as one table; sorted where lines that were joined again came out of their order."""
    table = Deferred(name, parts)
    lines = table["line"].to_numpy()
    if len(lines) > 1 and bool((np.diff(lines) < 0).any()):
        return table.take(np.argsort(lines, kind="stable"))
    return table
