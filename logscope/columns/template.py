"""What all batch lines of one shape have in common, learned from one of them.

A message is cut at its commas. Each part is a literal, or a literal with one number, share or flag in it; a template is
the literals and values in turn. What it says a line holds is compared with what the line-by-line reader makes of the
line, and of the same line with other numbers: where the two differ, nothing is learned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from logscope.family import ColumnType
from logscope.line import Clock, segments
from logscope.shapes import Entry, Value, Values, column_name, index, read

Kind = Literal["int", "float", "bool"]
_PART = re.compile(
    r"(?P<before>.*?(?:: | \[))(?P<value>\d+(?:\.(?P<decimals>\d+))?|True|False)(?P<behind>%|\])?( ?)", re.S
)
_DIGIT = re.compile(rb"\d")
_STAMP = "[2026-01-01 00:00:00] "
_MOST_DECIMALS = 6
_LONGEST = 8  # digits before the point
_LONGEST_PART = 48  # bytes: what is compared behind a place stays inside the padding of a block


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value stands: in which part, between which literals, and which column it feeds."""

    part: int
    before: bytes
    behind: bytes
    kind: Kind
    decimals: int  # printed decimals of a float
    column: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """The shape of a line: literals, each with the value behind it, and the literal at the end."""

    entry: Entry
    pieces: tuple[tuple[bytes, Slot], ...]
    tail: bytes
    constants: tuple[tuple[str, ColumnType, Value], ...]  # columns that are the same on every line of the shape
    unknown: tuple[str, ...]  # keys that no release had
    decimals: str  # printed decimals that differ from the declared ones, as JSON; "" if none do


def learned(message: str, families_read: Sequence[str]) -> Template | None:
    """The template of a message; None when its line is not one that can be read by columns."""
    parts = message.split(",")
    cut = [_PART.fullmatch(part) for part in parts]
    shapes = [_slot(number, found) for number, found in enumerate(cut) if found is not None]
    if not message.isascii() or "\0" in message or "\r" in message or max(map(len, parts)) > _LONGEST_PART:
        return None
    slots = [slot for slot in shapes if slot is not None]
    read_as = taken(message)
    if len(slots) != len(shapes) or not slots or read_as is None or read_as[0].name not in families_read:
        return None
    entry, values = read_as
    named = _named(entry, values, message, slots)
    if named is None:
        return None
    numbers = {slot.part for slot in slots}
    if any(_DIGIT.search(slot.before) for slot in slots) or any(
        number not in numbers and any(map(str.isdigit, part)) for number, part in enumerate(parts)
    ):
        return None  # a number that is no slot of its own would make a template of each of its values
    fed = {slot.column for slot in named}
    types = {column.name: column.type for column in entry.family.columns}
    if not set(values.values) - fed <= set(types):
        return None
    same = [(name, types[name], value) for name, value in values.values.items() if name not in fed]
    same.append(("_shape", "int", entry.number))
    decimals = _decimals(values)
    same += [("_decimals", "text", decimals)] if decimals else []
    template = Template(
        entry,
        *_pieces(parts, named),
        tuple(same),
        tuple(values.unknown),
        decimals,
    )
    return template if all(_agrees(template, message, step) for step in range(5)) else None


def _pieces(parts: Sequence[str], slots: Sequence[Slot]) -> tuple[tuple[tuple[bytes, Slot], ...], bytes]:
    """The literals and the slots behind them, and the literal at the end."""
    of_part = {slot.part: slot for slot in slots}
    found: list[tuple[bytes, Slot]] = []
    literal = b""
    for number, part in enumerate(parts):
        literal += b"," if number else b""
        if number in of_part:
            found.append((literal + of_part[number].before, of_part[number]))
            literal = of_part[number].behind
        else:
            literal += part.encode()
    return tuple(found), literal


def unknown_columns(template: Template) -> tuple[str, ...]:
    """The columns of keys that no release had."""
    return tuple(column_name(key) for key in template.unknown)


def _slot(number: int, found: re.Match[str]) -> Slot | None:
    value, behind = found["value"], (found["behind"] or "") + found[5]
    if value in ("True", "False"):
        return Slot(number, found["before"].encode(), behind.encode(), "bool", 0)
    decimals = len(found["decimals"] or "")
    whole = len(value) - (decimals + 1 if decimals else 0)
    if whole > _LONGEST or decimals > _MOST_DECIMALS:
        return None
    return Slot(number, found["before"].encode(), behind.encode(), "float" if decimals else "int", decimals)


def taken(message: str) -> tuple[Entry, Values] | None:
    """What the line-by-line reader makes of the message behind a plain prefix."""
    found = segments(_STAMP + message, 1, Clock())
    if len(found) != 1 or found[0].message != message:
        return None
    for entry in index().heads(message):
        if entry.shape.scope == "record":
            return None
        values = read(entry, message)
        if values is not None:
            return (entry, values) if entry.family.hot and not entry.family.multiline else None
    return None


def _named(entry: Entry, values: Values, message: str, slots: Sequence[Slot]) -> list[Slot] | None:
    """The slots with the columns that they feed: a column is the one that changes with the number in the slot."""
    named: list[Slot] = []
    known = {column.name for column in entry.family.columns}
    if any(column_name(key) in known for key in values.unknown):
        return None
    for slot in slots:
        names: list[str] = []
        for number in (7, 12):
            other = taken(_written(message, slots, {slot.part: number}))
            if other is None or other[0] is not entry:
                return None
            names = names or _differing(values.values, other[1].values)
        if len(names) != 1 or names[0] in {one.column for one in named}:
            return None
        named.append(Slot(slot.part, slot.before, slot.behind, slot.kind, slot.decimals, names[0]))
    return named


def _written(message: str, slots: Sequence[Slot], numbers: dict[int, int]) -> str:
    """The message with other numbers in some slots: the whole part of a number, or a flag by its parity."""
    parts = message.split(",")
    for slot in slots:
        if slot.part in numbers:
            text = _text(slot, numbers[slot.part])
            parts[slot.part] = f"{slot.before.decode()}{text}{slot.behind.decode()}"
    return ",".join(parts)


def _text(slot: Slot, number: int) -> str:
    if slot.kind == "bool":
        return str(number % 2 == 0)
    if slot.kind == "int":
        return str(number)
    return f"{number}.{str(number * 7919 % 10**slot.decimals).rjust(slot.decimals, '0')}"


def _value(slot: Slot, number: int) -> Value:
    text = _text(slot, number)
    return text == "True" if slot.kind == "bool" else int(text) if slot.kind == "int" else float(text)


def _agrees(template: Template, message: str, step: int) -> bool:
    """Whether the template says of a line with other numbers what the line-by-line reader says."""
    chosen = (0, 5, 10, 99_999_998, 4096)[step]
    slots = [slot for _, slot in template.pieces]
    numbers = {slot.part: min(chosen + (slot.part * step) % 3, 99_999_999) for slot in slots}
    read_as = taken(_written(message, slots, numbers))
    if read_as is None or read_as[0] is not template.entry:
        return False
    values = read_as[1]
    types = {column.name: column.type for column in template.entry.family.columns}
    said = {slot.column: _value(slot, numbers[slot.part]) for slot in slots}
    # A whole number may feed a column of floats, as every key does that no release had.
    said = {n: float(v) if types.get(n, "float") == "float" and type(v) is int else v for n, v in said.items()}
    said |= {name: value for name, _, value in template.constants if not name.startswith("_")}
    alike = not _differing(said, values.values) and said.keys() == values.values.keys()
    return alike and tuple(values.unknown) == template.unknown and _decimals(values) == template.decimals


def _differing(before: Mapping[str, Value], after: Mapping[str, Value]) -> list[str]:
    """The names whose values differ; a number that is none equals itself, and 1 is neither 1.0 nor True."""
    return [name for name, value in after.items() if name not in before or repr(before[name]) != repr(value)]


def _decimals(values: Values) -> str:
    return json.dumps(values.decimals) if values.decimals else ""
