"""Which rows of a very large table are looked at one by one: those at the beginning and at the end of each kind.

A log may hold the same traceback a million times. Rows are of one kind if they are of one rank and one shape, and their
texts end alike but for numbers and ids: so the one traceback that is another kind is always among the chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from logscope.columns.deferred import Deferred
from logscope.shapes import families

Places = NDArray[np.int64]
_COMPARED = 200  # characters at the end of a text: the exception of a traceback
_OWN = r"^\S*|[0-9a-fA-F]*[0-9][0-9a-fA-F]*"  # a word that the cut tore, and what differs between alike texts


def chosen(name: str, table: Any, most: int) -> tuple[Places, Places]:
    """The places of at most so many rows, in order, and for how many rows each of them stands."""
    kinds = _kinds(name, table)
    order = np.argsort(kinds, kind="stable")
    _, firsts, counts = np.unique(kinds[order], return_index=True, return_counts=True)
    each = _most_of_each(counts, most)
    before = np.arange(len(order)) - np.repeat(firsts, counts)
    behind = np.repeat(counts, counts) - 1 - before
    kept = (before < each) | (behind < each)
    stands = np.ones(len(order), np.int64)
    stands[(before == each - 1) & (behind > each)] += np.maximum(counts - 2 * each, 0)[counts > 2 * each]
    places = order[kept]
    inside = np.argsort(places)
    # So many kinds that one row of each is too many: those that came first.
    return places[inside][:most], stands[kept][inside][:most]


def _most_of_each(counts: Places, most: int) -> int:
    """How many rows at either end of each kind are at most so many together; at least one."""
    each = most
    while each > 1 and int(np.minimum(counts, 2 * each).sum()) > most:
        each //= 2
    return each


def _kinds(name: str, table: Any) -> Places:
    """The kind of each row as a number."""
    family = families()[name]
    texts = [c.name for c in family.columns if c.type == "text" and c.name not in family.private]
    kinds = np.zeros(table.num_rows, np.int64)
    for column in ("rank", "_shape", *(() if family.hot else texts)):
        values = table.mapped(column, _compared) if isinstance(table, Deferred) else _compared(table[column])
        codes = values.combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False)
        _, kinds = np.unique(kinds * (int(codes.max(initial=0)) + 2) + codes + 1, return_inverse=True)
    return kinds


def _compared(column: Any) -> Any:
    if pa.types.is_dictionary(column.type):
        return column.cast(pa.string())
    if not pa.types.is_string(column.type):
        return column
    return pc.replace_substring_regex(pc.utf8_slice_codeunits(column, -_COMPARED, None), _OWN, "#")
