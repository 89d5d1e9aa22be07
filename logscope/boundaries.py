"""Where one server start ends and the next begins.

A start is a `server_args=` dump, a refused command line, or a rank that begins to load again after it had been serving
or had failed. The lines of a run belong to the start before them; what stands before the first start belongs to it.

A traceback that names no process, before any rank begins to load, ends nothing by itself: an optional import prints one
and the start goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from logscope.launch import BATCHES, BEGINS, FAILING, SERVING
from logscope.tables import pieces

_Marks = list[tuple[int, str, str, str]]  # line, table, rank, kind
_Keep = Callable[[Sequence[int]], Sequence[bool]]
_MANY = (*BATCHES, *FAILING)
_UNNAMED = "unnamed"  # a traceback of a process that the line does not name


def boundaries(found: Mapping[str, pa.Table], path: str, keep: _Keep | None = None) -> list[int]:
    """The first lines of the launches of one input, or of those of its lines that are kept; the first is always 1."""
    marks = sorted(_marks(found, path, keep))
    starts, serving, ended = [1], set[str](), 0
    pending = False  # a dump has begun this launch and nothing has happened since
    over = False  # what failed had been loading, or is known to end a server
    for line, table, rank, kind in marks:
        if table in ("server_args", "argparse_error"):
            begins = not pending and (bool(serving) or ended > 0)
            if begins:
                starts.append(_after(marks, line))
            if begins or not pending:
                serving, ended, over = set(), 0, False
            pending = True
        elif table in BEGINS:
            # The line of a ready server is the parent's: all ranks serve from it on.
            if kind == "begin" and ({rank, "ready"} & serving or (ended and over)) and not pending:
                starts.append(line)
                serving = set()
            if kind == "begin":
                ended = 0
            pending, over = False, True
        elif table in SERVING:
            serving.add("ready" if table == "ready" else rank)
            pending, over = False, True
        elif table in FAILING:
            ended = line
            pending, over = False, over or kind != _UNNAMED
    return sorted(set(starts))  # two that a line was glued of are one


def _marks(found: Mapping[str, pa.Table], path: str, keep: _Keep | None) -> _Marks:
    marks: _Marks = []
    for name in ("server_args", "argparse_error", *BEGINS, *SERVING, *FAILING):
        table = found.get(name)
        if table is None or name in _MANY:
            continue
        table = table.filter(pa.compute.equal(table["path"].cast(pa.string()), path))
        lines = table["line"].to_pylist()
        kept = keep(lines) if keep is not None else [True] * len(lines)
        ranks = table["rank"].cast(pa.string()).to_pylist()
        kinds = table["kind"].to_pylist() if "kind" in table.column_names else [""] * len(lines)
        rows = zip(kept, lines, ranks, kinds, strict=True)
        marks.extend((line, name, rank, kind or "") for inside, line, rank, kind in rows if inside)
    between = np.unique(np.array([mark[0] for mark in marks], np.int64))
    for name in _MANY:
        for piece in pieces(found[name]) if name in found else ():
            for kind, part in _by_kind(name, piece):
                marks.extend((*mark, kind) for mark in _thinned(name, part, path, keep, between))
    return marks


def _by_kind(name: str, table: pa.Table) -> list[tuple[str, pa.Table]]:
    """Tracebacks of a named process apart from the others; all other families as they are."""
    if name != "failure":
        return [("", table)]
    unnamed = pa.compute.is_null(table["process"])
    return [("", table.filter(pa.compute.invert(unnamed))), (_UNNAMED, table.filter(unnamed))]


def _thinned(name: str, table: pa.Table, path: str, keep: _Keep | None, between: Any) -> list[tuple[int, str, str]]:
    """Batches only say that a rank is serving, failures that it ended: its first line of each stretch between other
    marks, and the last one.
    """
    lines = table["line"].to_numpy()
    paths, ranks = (_coded(table[column]) for column in ("path", "rank"))
    inside = np.isin(paths[0], np.flatnonzero(np.array(paths[1]) == path))
    if keep is not None:
        inside &= np.array(keep(lines), bool)
    rows = np.arange(len(lines)) if inside.all() else np.flatnonzero(inside)
    if not len(rows):
        return []
    stretch = np.searchsorted(between, lines[rows])
    _, firsts = np.unique(stretch * len(ranks[1]) + ranks[0][rows], return_index=True)
    lasts = np.append(np.flatnonzero(np.diff(stretch)), len(rows) - 1)
    return [(int(lines[row]), name, ranks[1][ranks[0][row]]) for row in rows[np.union1d(firsts, lasts)].tolist()]


def _coded(column: pa.ChunkedArray) -> tuple[Any, list[str]]:
    """A column of names as codes, and the names."""
    coded = column.combine_chunks()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    return coded.indices.to_numpy(zero_copy_only=False), coded.dictionary.to_pylist()


def _after(marks: Sequence[tuple[int, str, str, str]], line: int) -> int:
    """Where the launch that a dump at `line` begins really starts: behind the last thing that the one before it did."""
    earlier = [mark[0] for mark in marks if mark[0] < line]
    return max(earlier, default=0) + 1 if earlier else 1
