"""The lines of a block that can be read by column, and what was in them; the places of all others.

One reader of hot lines serves all inputs of a log: what it has learned of one is good for the next. `read` may run in
several threads at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from logscope.columns.access import FAMILY as ACCESS
from logscope.columns.access import Endings, is_access
from logscope.columns.batches import Templates
from logscope.columns.cells import Cells, narrow
from logscope.columns.chunk import Chunk, concatenated
from logscope.columns.marks import Marks
from logscope.columns.stamps import Ranks, Stamps, stamps_of
from logscope.columns.template import unknown_columns
from logscope.columns.words import Array, Places, Text, text_of
from logscope.shapes import families
from logscope.source import Block

_LEAST_BYTES = 256
# Where a message of these families begins, by its first eight bytes
_BATCHES = {"decode_batch": b"Decode b", "prefill_batch": b"Prefill "}
_PROCESS_RANK = {"scheduler": "TP0", "main": "main"}


@dataclass(frozen=True, slots=True)
class Found:
    """What was read of a block. `lines` are the places of the lines read, in order; `seconds` and `ranks` theirs.

    `rest` are the places of all other lines, `marks` tells what of evidence sentences they may hold.
    """

    text: Text
    lines: Places
    rest: Places
    marks: Array
    seconds: Places
    ranks: Array  # codes into `names`
    names: list[str]
    chunks: dict[str, tuple[Chunk, Places]]  # by family, with the places of its rows
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)


class HotLines:
    """Reads the lines of hot families by column; learns their shapes as they come."""

    def __init__(self) -> None:
        self._ranks = Ranks()
        self._endings = Endings()
        self._marks = Marks()
        self._templates = {name: Templates((name,)) for name in _BATCHES}

    def read(self, block: Block) -> Found | None:
        """The columns of a block's hot lines; None when there is none."""
        if len(block.data) < _LEAST_BYTES:
            return None
        text = text_of(block.data)
        if block.repeats is not None and block.repeats.any():
            return None
        stamps = stamps_of(text, self._ranks)
        first = text.words[stamps.messages]
        chunks: dict[str, tuple[Chunk, Places]] = {}
        unknown = Counter[tuple[str, str]]()
        for name, begins in _BATCHES.items():
            chosen = np.flatnonzero(first == np.uint64(int.from_bytes(begins, "little")))
            found = self._templates[name].read(text, stamps, chosen) if len(chosen) else []
            made = [
                self._chunk(block, name, got.lines, got.seconds, got.ranks, got.columns, unknown_columns(got.template))
                for got in found
            ]
            for got in found:
                unknown.update({(name, key): len(got.lines) for key in got.template.unknown})
            if made:
                chunks[name] = _ordered(made, [got.lines for got in found])
        chosen = np.flatnonzero(is_access(first))
        access = self._endings.read(text, stamps, chosen) if len(chosen) else None
        if access is not None:
            chunk = self._chunk(block, ACCESS, access.lines, access.seconds, access.ranks, access.columns, ())
            chunks[ACCESS] = (chunk, access.lines)
        return self._found(text, stamps, chunks, unknown)

    def _chunk(
        self,
        block: Block,
        name: str,
        lines: Places,
        seconds: Places,
        ranks: Array,
        columns: dict[str, Cells],
        unknown: tuple[str, ...],
    ) -> Chunk:
        numbers = narrow(block.first + lines if block.numbers is None else block.numbers[lines])
        process = _PROCESS_RANK[families()[name].process]
        own = {
            "line": Cells("int", numbers),
            "time": Cells("int", narrow(seconds)),
            "rank": Cells("text", narrow(ranks), words=self._ranks.named[process]),
        }
        return Chunk(block.path, own | columns, unknown, len(lines))

    def _found(
        self, text: Text, stamps: Stamps, chunks: dict[str, tuple[Chunk, Places]], unknown: Counter[tuple[str, str]]
    ) -> Found:
        taken = np.zeros(len(text.starts), bool)
        for _, places in chunks.values():
            taken[places] = True
        rest = np.flatnonzero(~taken)
        stamped = np.zeros(len(text.starts), bool)
        stamped[stamps.lines] = True
        marks = self._marks.of(text, rest, stamped[rest])
        inside = taken[stamps.lines]
        lines, seconds, ranks = stamps.lines[inside], stamps.seconds[inside], stamps.ranks[inside]
        return Found(text, lines, rest, marks, seconds, ranks, self._ranks.named[""], chunks, unknown)


def _ordered(chunks: list[Chunk], places: list[Places]) -> tuple[Chunk, Places]:
    """Chunks of one block as one, in the order of their lines."""
    if len(chunks) == 1:
        return chunks[0], places[0]
    everywhere = np.concatenate(places)
    order = np.argsort(everywhere, kind="stable")
    return concatenated(chunks).chosen(order), everywhere[order]
