"""Batch lines (prefill, decode) of a block by the templates learned so far, all lines of one at the same time.

A template is gone along from the beginning of the messages: a literal is compared, the number behind it read, and each
line is as much farther as its own number is long. On the reference mix that takes a third of the time of cutting lines
at the places of their commas, which had to be found first.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logscope.columns.cells import Cells, constant, narrow
from logscope.columns.stamps import Stamps
from logscope.columns.template import Slot, Template, learned
from logscope.columns.words import Array, Places, Text, leading_digits

_MOST_TEMPLATES = 64
_MOST_LESSONS = 8  # in one block: what looks too different each time is read line by line
_MOST_LENGTH = 4096  # bytes of a line to learn from
_TRUE, _FALSE = (int.from_bytes(word, "little") for word in (b"True", b"False"))
_FOUR, _FIVE = np.uint64((1 << 32) - 1), np.uint64((1 << 40) - 1)


@dataclass(frozen=True, slots=True)
class Read:
    """The lines of a block that fitted one template: which of the stamped lines, and their columns."""

    template: Template
    lines: Places  # places in the block
    seconds: Places
    ranks: Array
    columns: dict[str, Cells]


class Templates:
    """The shapes of one family's lines, learned as they come."""

    def __init__(self, families: Sequence[str]) -> None:
        self._families = families
        self._known: tuple[Template, ...] = ()
        self._refusals = 0
        self._lock = threading.Lock()

    def read(self, text: Text, stamps: Stamps, chosen: Places) -> list[Read]:
        """What can be read by column of these lines (indices into the stamps); the rest is left out."""
        found: list[Read] = []
        lessons = 0
        tried = 0
        while len(chosen):
            known = self._known
            for template in known[tried:]:
                if len(chosen):
                    got, chosen = _fitted(template, text, stamps, chosen)
                    found.extend(got)
            tried = len(known)
            if not len(chosen) or lessons >= max(1, _MOST_LESSONS - self._refusals // 8) or tried >= _MOST_TEMPLATES:
                break
            lessons += 1
            if not self._learn(text, stamps, int(chosen[0])):
                chosen = chosen[1:]
        return found

    def _learn(self, text: Text, stamps: Stamps, chosen: int) -> bool:
        """Whether there is a template more after looking at this line."""
        begin, end = int(stamps.messages[chosen]), int(text.ends[stamps.lines[chosen]])
        if end - begin > _MOST_LENGTH:
            return False
        message = text.octets[begin:end].tobytes().decode("latin-1")
        with self._lock:
            template = learned(message, self._families)
            if template is None or template in self._known:
                self._refusals += 1
                return False
            self._known += (template,)
        return True


def _fitted(template: Template, text: Text, stamps: Stamps, chosen: Places) -> tuple[list[Read], Places]:
    """The lines that fit a template, and those that do not."""
    at = stamps.messages[chosen]
    good = np.ones(len(chosen), bool)
    columns: dict[str, Cells] = {}
    types = {column.name: column.type for column in template.entry.family.columns}
    for literal, slot in template.pieces:
        fits, words = text.behind(literal, at)
        at += len(literal)
        cells, width, there = _flags(words) if slot.kind == "bool" else _numbers(slot, types, text, at, words)
        columns[slot.column] = cells
        at += width
        good &= fits & there
        if not good.any():
            return [], chosen
    fits, _ = text.behind(template.tail, at)
    good &= fits & (at + len(template.tail) == text.ends[stamps.lines[chosen]])
    if not good.any():
        return [], chosen
    taken, rest = chosen, chosen[:0]
    if not good.all():
        taken, rest = chosen[good], chosen[~good]
        columns = {name: cells.chosen(good) for name, cells in columns.items()}
    columns = {name: _narrowed(cells) for name, cells in columns.items()}
    columns |= {name: constant(value, kind, len(taken)) for name, kind, value in template.constants}
    return [Read(template, stamps.lines[taken], stamps.seconds[taken], stamps.ranks[taken], columns)], rest


def _narrowed(cells: Cells) -> Cells:
    return cells if cells.kind == "bool" else Cells(cells.kind, narrow(cells.values), cells.decimals)


def _numbers(
    slot: Slot, types: Mapping[str, str], text: Text, at: Places, words: Array
) -> tuple[Cells, Array | int, Array]:
    """The number at each place, how long it is, and whether it is one as the slot has it."""
    value, width = leading_digits(words)
    there = width > 0
    if slot.decimals:
        fits, words = text.behind(b".", at + width)
        decimals, printed = leading_digits(words)
        there &= fits & (printed == slot.decimals)
        value = value * np.uint64(10**slot.decimals) + decimals
        width = width + (1 + slot.decimals)
    return Cells("int" if types.get(slot.column) == "int" else "float", value, slot.decimals), width, there


def _flags(words: Array) -> tuple[Cells, Array, Array]:
    true = (words & _FOUR) == _TRUE
    return Cells("bool", true), 5 - true, true | ((words & _FIVE) == _FALSE)
