"""Which shapes may take a message, and the typed values that come out of it.

Thousands of shapes, and a message is tried against a few: by the literal it starts with, or by one it contains.
Patterns are compiled when a message first reaches them.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import regex

from logscope.discover import units
from logscope.family import Column, ColumnType, Family, Noise, Shape, ShapeTable
from logscope.sentences import Breaks, any_of, one_of

_CUT = 6  # characters that the beginning of a cut message needs to be known by
_MOST_REMEMBERED = 1 << 14  # beginnings of lines
_INTEGERS = 2.0**63  # what a column of whole numbers holds; a garbled line prints more
_STEP = 4  # characters of a literal beginning that the index looks at
Value = int | float | bool | str

_COLON = regex.compile(
    r"(?P<key>#?[A-Za-z+][\w .+()/-]*?): "
    r"(?P<value>full=[-\d.]+, swa=[-\d.]+|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?(?: \[[\d., -]+\])?"
    r"|-?nan%?|-?inf%?|True|False|None|\d{4}-\d\d-\d\dT[\d:.]+|[^,\s]+)(?=,|\s|$)"
)
_EQUALS = regex.compile(r"(?P<key>[A-Za-z#][\w .#/-]*?)=(?P<value>\[[^\]]*\]|\{[^}]*\}|'[^']*'|[^,\s]+)")
_NUMBER = regex.compile(r"-?\d+(?:\.(?P<decimals>\d+))?(?:e[-+]?\d+)?")


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One shape of one family, as the index holds it."""

    name: str
    family: Family
    number: int  # of the shape within its family

    @property
    def shape(self) -> Shape:
        return self.family.shapes[self.number]

    @property
    def pattern(self) -> regex.Pattern[str]:
        return _compiled(self.shape.pattern)


@functools.cache
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


@dataclass(slots=True)
class Index:
    """All shapes of all families, found by literal."""

    starts: dict[str, list[tuple[str, Entry]]] = field(default_factory=dict)
    contains: list[tuple[str, Entry]] = field(default_factory=list)
    tables: list[tuple[str, Family, ShapeTable]] = field(default_factory=list)  # of families that come last
    last_starts: dict[str, list[tuple[str, Entry]]] = field(default_factory=dict)  # what of them was asked for
    last_contains: list[tuple[str, Entry]] = field(default_factory=list)
    records: list[tuple[str, Entry]] = field(default_factory=list)  # scope record, by a literal anywhere
    lines: list[tuple[str, Entry]] = field(default_factory=list)  # scope line
    any_line: re.Pattern[str] = re.compile("(?!)")  # what a text must hold for one of `lines` to fit
    evidence: str = "a^"  # the same as a pattern of RE2
    breaks: Breaks = field(default_factory=lambda: Breaks(set()))
    noise_starts: dict[str, list[tuple[str, Noise]]] = field(default_factory=dict)
    noise_contains: list[tuple[str, Noise]] = field(default_factory=list)

    def heads(self, message: str) -> Iterator[Entry]:
        """Entries whose literal fits, the longest beginning first; those of `last` families behind all others."""
        first = [pair for size in range(_STEP, 0, -1) for pair in self.starts.get(message[:size], ())]
        yield from _fitting(message, first, self.contains)
        yield from _fitting(message, self._last(message[:_STEP]), self.last_contains)

    def _last(self, letters: str) -> Sequence[tuple[str, Entry]]:
        """The entries of `last` families whose literal begins with these four characters."""
        found = self.last_starts.get(letters)
        if found is None:
            found = [
                (literal, Entry(name, family, number))
                for name, family, table in self.tables
                for literal, number in (table.starting(letters) if len(letters) == _STEP else ())
            ]
            if len(self.last_starts) < _MOST_REMEMBERED:  # lines of others begin with anything
                self.last_starts[letters] = found
        return found

    def begun(self, message: str) -> bool:
        """Whether a message is only the beginning of one that a family takes: somebody cut the line."""
        if len(message) < _CUT:
            return False
        known = (*self.starts.get(message[:_STEP], ()), *self._last(message[:_STEP]))
        return any(literal.startswith(message) for literal, _ in known)

    def sentences(self, text: str) -> list[tuple[str, Entry]]:
        """The literals that stand in a text, with the entries of scope line that they belong to."""
        if self.any_line.search(text) is None:
            return []
        return [(literal, entry) for literal, entry in self.lines if literal in text]

    def straddled(self, lines: Sequence[str]) -> bool:
        """Whether one of `lines` may stand across the end of a line, by the words before and behind it."""
        before = lines[0].strip()
        for line in lines[1:]:
            behind = line.strip()
            # Some literals have two blanks, so a blank line may stand inside one.
            if not behind or not before or self.breaks.behind(before) & self.breaks.before(behind):
                return True
            before = behind
        return False

    def noise(self, text: str) -> Noise | None:
        """The noise unit that a line belongs to, if any."""
        for size in range(_STEP, 0, -1):
            for literal, unit in self.noise_starts.get(text[:size], ()):
                if text.startswith(literal) and _compiled(unit.pattern).match(text):
                    return unit
        for literal, unit in self.noise_contains:
            if literal in text and _compiled(unit.pattern).match(text):
                return unit
        return None


def _fitting(
    message: str, starts: Iterable[tuple[str, Entry]], contains: Iterable[tuple[str, Entry]]
) -> Iterator[Entry]:
    found = [(literal, entry) for literal, entry in starts if message.startswith(literal)]
    found.sort(key=lambda pair: -len(pair[0]))
    for _, entry in found:
        yield entry
    for literal, entry in contains:
        if literal in message:
            yield entry


@functools.cache
def index() -> Index:
    """The index over `events/` and `noise/`."""
    made = Index()
    for name, module in units("logscope.events").items():
        family: Family = module.FAMILY
        if isinstance(family.shapes, ShapeTable):
            made.tables.append((name, family, family.shapes))
            found = family.shapes.containing()
            made.last_contains.extend((literal, Entry(name, family, number)) for literal, number in found)
        else:
            for number in range(len(family.shapes)):
                _file(made, Entry(name, family, number))
    for module in units("logscope.noise").values():
        for unit in module.NOISE:
            for literal in unit.starts:
                made.noise_starts.setdefault(literal[:_STEP], []).append((literal, unit))
            if not unit.starts:
                made.noise_contains.append((unit.contains, unit))
    if made.lines:
        literals = {literal for literal, _ in made.lines}
        made.any_line = re.compile(any_of(literals))
        made.evidence, made.breaks = one_of(literals), Breaks(literals)
    return made


HOLDS, BREAKS = 1, 2  # a line holds a literal; it may hold a part of one that goes over its ends
UNKNOWN = HOLDS | BREAKS


def may_hold(marks: int, lines: Sequence[str]) -> bool:
    """Whether lines with these marks together may hold an evidence sentence, when they are joined by blanks."""
    return bool(marks & HOLDS) or (bool(marks & BREAKS) and index().straddled(lines))


def _file(made: Index, entry: Entry) -> None:
    shape = entry.shape
    if shape.scope == "line":
        made.lines.extend((literal, entry) for literal in shape.starts or (shape.contains,))
    elif shape.starts:
        for literal in shape.starts:
            made.starts.setdefault(literal[:_STEP], []).append((literal, entry))
    elif shape.scope == "record":
        made.records.append((shape.contains, entry))
        made.contains.append((shape.contains, entry))
    else:
        made.contains.append((shape.contains, entry))


@functools.cache
def families() -> Mapping[str, Family]:
    """Every family by the name of its table."""
    return {name: module.FAMILY for name, module in units("logscope.events").items()}


@functools.cache
def quoting() -> frozenset[str]:
    """The families that hold what a user wrote: prompts, answers, arguments."""
    return frozenset(name for name, family in families().items() if family.private and not family.dumps)


@functools.cache
def columns_of(name: str) -> tuple[dict[str, Column], dict[str, Column]]:
    """The columns of a family, by name and by key."""
    family = families()[name]
    return {c.name: c for c in family.columns}, {key: c for c in family.columns for key in c.keys}


@dataclass(slots=True)
class Values:
    """What one message gave: values by column, decimals that differ from the declared ones, keys nobody declared."""

    values: dict[str, Value]
    decimals: dict[str, int] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def read(entry: Entry, text: str) -> Values | None:
    """The typed values of a message, or None when the shape does not fit."""
    found = entry.pattern.search(text) if entry.shape.scope == "line" else entry.pattern.fullmatch(text)
    if found is None:
        return None
    by_name, by_key = columns_of(entry.name)
    got = Values(dict(entry.shape.sets))
    groups = found.groupdict()
    fields = groups.pop("fields", None)
    for name, printed in groups.items():
        if printed is not None:
            _put(got, by_name[name], printed)
    for key, printed in pairs(fields, entry.shape.separator) if fields else ():
        column = by_key.get(key)
        if column is not None:
            _put(got, column, printed)
            if f"{column.name}_kind" in by_name:
                got.values[f"{column.name}_kind"] = key.partition(" ")[0]
        elif entry.family.open_keys:
            got.unknown.append(key)
            _put(got, Column(column_name(key), _guess(printed), "printed under a key that no release had"), printed)
    return got


def pairs(text: str, separator: str) -> Iterator[tuple[str, str]]:
    """Key–value pairs of a line's tail; a value in parts (`full=…, swa=…`; `mean [lo, hi]`) gives one pair a part."""
    for found in (_COLON if separator == ": " else _EQUALS).finditer(text):
        key, value = found["key"].strip(" ,."), found["value"]
        if value.startswith("full="):
            for part in value.split(", "):
                label, _, number = part.partition("=")
                yield f"{key} {label}", number
        elif separator == ": " and value.endswith("]"):
            mean, _, bounds = value.partition(" [")
            yield key, mean
            yield from zip((f"{key} lo", f"{key} hi"), bounds.rstrip("]").split(", "), strict=False)
        else:
            yield key, value


def column_name(key: str) -> str:
    """A printed key as a column's name: `#new-thing` → `new_thing`."""
    return regex.sub(r"\W+", "_", key.lower()).strip("_") or "unnamed"


def _guess(printed: str) -> ColumnType:
    if printed in ("True", "False"):
        return "bool"
    return "float" if _NUMBER.fullmatch(printed.rstrip("%")) or printed.rstrip("%") in ("nan", "inf") else "text"


def _put(got: Values, column: Column, printed: str) -> None:
    """Add one printed value by the column's type; what does not read as a number is left out, never guessed."""
    if column.type == "text":
        got.values[column.name] = printed
        return
    if column.type == "bool":
        if printed in ("True", "False"):
            got.values[column.name] = printed == "True"
        return
    if printed.isdecimal():  # most are: a pattern takes four times as long
        _put_number(got, column, printed, "")
        return
    number = _NUMBER.match(printed)
    if number is None:
        bare = printed.rstrip("%").lstrip("-")
        if column.type == "float" and bare in ("nan", "inf"):
            got.values[column.name] = math.nan if bare == "nan" else math.copysign(math.inf, -printed.startswith("-"))
        return
    _put_number(got, column, number[0], number["decimals"] or "")


def _put_number(got: Values, column: Column, printed: str, decimals: str) -> None:
    if column.type == "int":
        if not decimals and abs(float(printed)) < _INTEGERS:
            got.values[column.name] = int(float(printed)) if "e" in printed else int(printed)
        return
    got.values[column.name] = float(printed)
    if len(decimals) != column.decimals:
        got.decimals[column.name] = len(decimals)
