"""The releases that may have printed a launch: what its arguments, wordings and keys have in common.

Every wording that only some releases print narrows the range. Wordings that exclude each other (a fork, a development
build, a mixed paste) never empty it: the narrower evidence is kept and the contradiction is told.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from logscope.family import Column, ShapeTable
from logscope.launch import Launch
from logscope.server_arguments import arguments_of, complete
from logscope.sglang import ReleaseRange
from logscope.shapes import families


def release_of(launch: Launch) -> ReleaseRange:
    """The closed range of releases that could have printed this launch, and the lines that say so."""
    found = ReleaseRange()
    disagreeing = 0
    for evidence in sorted(_evidence(launch), key=lambda r: (len(r.releases), r.lo, r.hi, r.how)):
        met = found.meet(evidence)
        if met.empty:
            disagreeing += 1
        else:
            found = met
    if disagreeing:
        said = f"{found.how}; {disagreeing} other wordings belong to no release in this range (a fork or a mixed log)"
        found = ReleaseRange(found.lo, found.hi, said)
    return found


def _evidence(launch: Launch) -> Iterator[ReleaseRange]:
    for row in launch.rows("server_args"):
        from logscope.sglang import arguments

        names = list(arguments_of(row["text"]))
        whole = complete(row["text"])
        yield arguments.release_range(names, complete=whole)
    for name in launch.tables:
        table = launch.table(name)
        if table.num_rows and "_shape" in table.column_names:
            yield from _of_table(name, table)


@functools.cache
def _dated(name: str) -> tuple[Column, ...]:
    """The columns of a family whose keys only some releases print."""
    return tuple(one for one in families()[name].columns if one.keys and (one.since or one.until))


@functools.cache
def _worded(name: str) -> bool:
    """Whether a family may have wordings of some releases only."""
    shapes = families()[name].shapes
    return isinstance(shapes, ShapeTable) or any(shape.since or shape.until for shape in shapes)


def _of_table(name: str, table: pa.Table) -> Iterator[ReleaseRange]:
    family = families()[name]
    for number in pc.unique(table["_shape"]).to_pylist() if _worded(name) else ():
        shape = family.shapes[number]
        if shape.since or shape.until:
            line = table["line"][pc.index(table["_shape"], number).as_py()].as_py()
            yield ReleaseRange(shape.since, shape.until, f"wording of line {line} ({name})")
    for column in _dated(name):
        if column.name in table.column_names and table[column.name].null_count < table.num_rows:
            line = table["line"][pc.index(pc.is_valid(table[column.name]), True).as_py()].as_py()
            yield ReleaseRange(column.since, column.until, f"key {column.keys[0]!r} in line {line} ({name})")
