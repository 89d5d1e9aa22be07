"""Rows → one Arrow table a family, plus `unread`.

Every table has path, line, launch, rank and time (timestamp[ms], of the clock as printed; a log without dates counts
from 1970-01-01), then the family's columns: numbers as they are printed. Columns that begin with an underscore are
logscope's own: the shape that took the line, printed decimals that differ from the declared ones, the last line of a
record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from logscope.columns.deferred import Deferred, together
from logscope.family import Column, Family
from logscope.parse import Row
from logscope.shapes import families

_TYPES = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "text": pa.string()}
_NAMES = pa.dictionary(pa.int32(), pa.string())
MASK = "‹masked›"


class Tables(dict[str, pa.Table]):
    """The tables of a log by name; a name without one is answered with those that there are."""

    def __missing__(self, name: str) -> pa.Table:
        raise KeyError(f"no line of the log is of the table {name!r}; it has {', '.join(self) or 'none'}")


def of_rows(name: str, rows: Sequence[Row], path: str, *, show_prompts: bool) -> pa.Table:
    """The table of one family from the rows of one input, in the order of its lines; launch is 0 until launches are
    known.
    """
    family = families()[name]
    rows = sorted(rows, key=lambda row: row.line)
    columns = [*family.columns, *_unknown(family, rows)]
    data: dict[str, pa.Array] = {
        "path": pa.array([path] * len(rows), pa.string()).dictionary_encode(),
        "line": pa.array([row.line for row in rows], pa.int64()),
        "launch": pa.array([0] * len(rows), pa.int32()),
        "rank": pa.array([row.rank for row in rows], pa.string()).dictionary_encode(),
        "time": pa.array([row.time_ms for row in rows], pa.timestamp("ms")),
        "_last_line": pa.array([row.last_line for row in rows], pa.int64()),
        "_shape": pa.array([row.shape for row in rows], pa.int32()),
        "_repeats": pa.array([row.repeats for row in rows], pa.int64()),
        "_lines": pa.array([row.numbers or None for row in rows], pa.list_(pa.int64())),
        "_decimals": pa.array([_decimals(row) for row in rows], pa.string()),
    }
    for column in columns:
        masked = column.name in family.private and not show_prompts
        values = [row.values.values.get(column.name) for row in rows]
        data[column.name] = pa.array([MASK if v else v for v in values] if masked else values, _TYPES[column.type])
    return pa.table(data)


def empty(name: str) -> pa.Table:
    """The table of a family that took no line."""
    return public(of_rows(name, (), "", show_prompts=False))


def of_all(rows: Mapping[str, Sequence[Row]], path: str, show_prompts: bool) -> dict[str, pa.Table]:
    """The tables of all families of one input."""
    return {name: of_rows(name, of_name, path, show_prompts=show_prompts) for name, of_name in rows.items()}


def _decimals(row: Row) -> str | None:
    return json.dumps(row.values.decimals) if row.values.decimals else None


def _unknown(family: Family, rows: Sequence[Row]) -> Iterator[Column]:
    """Columns for keys that no release had, typed by what they hold."""
    if not family.open_keys:
        return
    known = {column.name for column in family.columns}
    found: dict[str, set[type]] = {}
    for row in rows:
        if row.values.unknown:
            for name, value in row.values.values.items():
                if name not in known:
                    found.setdefault(name, set()).add(type(value))
    for name, types in sorted(found.items()):
        numeric = types <= {int, float}
        if not numeric and types != {bool}:
            for row in rows:
                if name in row.values.values:
                    row.values.values[name] = str(row.values.values[name])
        kind = "float" if numeric else "bool" if types == {bool} else "text"
        yield Column(name, kind, "printed under a key that no release had")  # type: ignore[arg-type]


def unread(templates: Mapping[str, Sequence[int]], path: str) -> pa.Table:
    """One row a template of unread lines: how often, and where first."""
    items = sorted(templates.items(), key=lambda item: (-item[1][0], item[1][1]))
    return pa.table(
        {
            "path": pa.array([path] * len(items), pa.string()),
            "line": pa.array([seen[1] for _, seen in items], pa.int64()),
            "count": pa.array([seen[0] for _, seen in items], pa.int64()),
            "template": pa.array([text for text, _ in items], pa.string()),
        }
    )


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """The tables of several inputs as one; columns that only some have are null elsewhere."""
    if any(isinstance(table, Deferred) for table in tables):
        return together([table if isinstance(table, Deferred) else Deferred("", [table]) for table in tables])
    return pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()


def public(table: pa.Table) -> pa.Table:
    """A table without logscope's own columns."""
    return table.select([name for name in table.column_names if not name.startswith("_")])


def pieces(table: pa.Table) -> Iterator[pa.Table]:
    """The same rows in order; of a large table a part at a time, so that its columns are never all in memory."""
    if isinstance(table, Deferred):
        yield from table.pieces()
    else:
        yield table


def of_path(table: pa.Table, path: str) -> pa.Table:
    """The rows of one input."""
    if isinstance(table, Deferred):
        return table.named("path", path)
    return table.filter(pc.equal(table["path"].cast(pa.string()), path))


def of_launch(table: pa.Table, launch: int) -> pa.Table:
    """The rows of one launch."""
    if isinstance(table, Deferred):
        return table.of_launch(launch)
    return table.filter(pc.equal(table["launch"], launch))


def of_rank(table: pa.Table, rank: str) -> pa.Table:
    """The rows of one rank."""
    if isinstance(table, Deferred):
        return table.named("rank", rank)
    return table.filter(pc.equal(table["rank"].cast(pa.string()), rank))
