"""Batch lines (prefill, decode) of a block by the templates learned so far: numbers cut out at the places of commas."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logscope.columns.cells import Cells, constant, narrow
from logscope.columns.stamps import Stamps
from logscope.columns.template import Slot, Template, learned
from logscope.columns.words import BEFORE, Array, Places, Text, digits, literal_words

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
    alike = text.comma_counts[stamps.lines[chosen]] == template.commas
    some = chosen[alike]
    if not len(some):
        return [], chosen
    starts, ends = _bounds(text, stamps, some)
    good = _literals_hold(template, text, starts, ends)
    columns, good = _columns(template, text, starts, ends, good)
    if not good.any():
        return [], chosen
    if good.all():
        taken, rest = some, chosen[~alike]
    else:
        taken = some[good]
        columns = {name: cells.chosen(good) for name, cells in columns.items()}
        fits = alike.copy()
        fits[alike] = good
        rest = chosen[~fits]
    columns = {name: _narrowed(cells) for name, cells in columns.items()}
    columns |= {name: constant(value, kind, len(taken)) for name, kind, value in template.constants}
    return [Read(template, stamps.lines[taken], stamps.seconds[taken], stamps.ranks[taken], columns)], rest


def _narrowed(cells: Cells) -> Cells:
    return cells if cells.kind == "bool" else Cells(cells.kind, narrow(cells.values), cells.decimals)


def _bounds(text: Text, stamps: Stamps, some: Places) -> tuple[Array, Array]:
    """Where each part of each line begins and ends: two arrays, a row a part."""
    lines = stamps.lines[some]
    count = int(text.comma_counts[lines[0]])
    commas = text.commas[text.first_comma[lines] + np.arange(count)[:, None]]
    starts = np.empty((count + 1, len(some)), np.int64)
    ends = np.empty_like(starts)
    starts[0], starts[1:] = stamps.messages[some], commas + 1
    ends[:-1], ends[-1] = commas, text.ends[lines]
    return starts, ends


def _literals_hold(template: Template, text: Text, starts: Array, ends: Array) -> Array:
    """Which lines have all literals of the template at their places."""
    parts, offsets, masks, values = [], [], [], []
    good = np.ones(starts.shape[1], bool)
    slots = {slot.part: slot for slot in template.slots}
    for part, literal in enumerate(template.literals):
        before = slots[part].before if literal is None else literal
        if literal is not None:
            good &= ends[part] - starts[part] == len(literal)
        for offset, mask, value in literal_words(before):
            parts.append(part)
            offsets.append(offset)
            masks.append(mask)
            values.append(value)
    found = text.words[starts[parts] + np.array(offsets)[:, None]]
    found &= np.array(masks, np.uint64)[:, None]
    good &= (found == np.array(values, np.uint64)[:, None]).all(axis=0)
    for slot in template.slots:
        for place, byte in enumerate(slot.behind):
            good &= text.octets[np.maximum(ends[slot.part] - len(slot.behind) + place, 0)] == byte
    return good


def _columns(template: Template, text: Text, starts: Array, ends: Array, good: Array) -> tuple[dict[str, Cells], Array]:
    """The value in each slot, and which lines have values in all of them."""
    columns: dict[str, Cells] = {}
    types = {column.name: column.type for column in template.entry.family.columns}
    begins: list[Array] = []
    stops: list[Array] = []
    for slot in template.slots:
        begin, stop = starts[slot.part] + len(slot.before), ends[slot.part] - len(slot.behind)
        if slot.kind == "bool":
            columns[slot.column], fits = _flag(text, begin, stop)
            good = good & fits
            continue
        point = stop - slot.decimals - 1 if slot.decimals else stop
        begins.append(begin)
        stops.append(point)
        if slot.decimals:
            good = good & (text.octets[np.maximum(point, 0)] == 46)
            begins.append(point + 1)
            stops.append(stop)
    if begins:
        numbers, fits = digits(text.words, np.array(begins), np.maximum(np.array(stops), BEFORE))
        good = good & fits.all(axis=0)
        columns |= _numbers(template.slots, types, numbers)
    return columns, good


def _numbers(slots: Sequence[Slot], types: Mapping[str, str], numbers: Array) -> dict[str, Cells]:
    columns = {}
    row = 0
    for slot in slots:
        if slot.kind == "bool":
            continue
        value = numbers[row]
        row += 1
        if slot.decimals:
            value = value * 10**slot.decimals + numbers[row]
            row += 1
        columns[slot.column] = Cells("int" if types.get(slot.column) == "int" else "float", value, slot.decimals)
    return columns


def _flag(text: Text, begin: Array, stop: Array) -> tuple[Cells, Array]:
    word = text.words[begin]
    true = ((word & _FOUR) == _TRUE) & (stop - begin == 4)
    false = ((word & _FIVE) == _FALSE) & (stop - begin == 5)
    return Cells("bool", true), true | false
