"""Rows of a family that were read one by one, put into a file: an Arrow table, as far as `Deferred` asks for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from logscope.columns.chunk import ShelfFile


class Shelved:
    """A table that lies in a file as Parquet; its columns are read when they are asked for."""

    def __init__(self, file: ShelfFile, table: pa.Table) -> None:
        from pyarrow import parquet  # only the largest logs need it

        out = pa.BufferOutputStream()
        parquet.write_table(table, out, compression="zstd")
        self._file, self._place = file, file.put(np.frombuffer(out.getvalue(), np.uint8))
        self.schema, self.num_rows = table.schema, table.num_rows

    def __len__(self) -> int:
        return int(self.num_rows)

    @property
    def column_names(self) -> Sequence[str]:
        names: Sequence[str] = self.schema.names
        return names

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        """One column."""
        return self._read([name])[name]

    def take(self, places: Any) -> pa.Table:
        """Some rows, in memory."""
        return self._read(None).take(places)

    def _read(self, names: Sequence[str] | None) -> pa.Table:
        from pyarrow import parquet

        return parquet.read_table(pa.BufferReader(pa.py_buffer(self._file.get(*self._place))), columns=names)
