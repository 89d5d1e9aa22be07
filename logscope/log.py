"""Inputs → a log: its tables, its launches, its coverage, and the text of any of its lines."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from logscope import tables
from logscope.launch import Launch, Piece, boundaries
from logscope.parse import Coverage, Reader
from logscope.quantity import LineRef
from logscope.redact.columns import masked_table
from logscope.releases import release_of
from logscope.source import Source
from logscope.wrappers import unwrapping

_LONGEST_BYTES = 4096  # of a quoted line


@dataclass(slots=True)
class Input:
    """One input after reading: what it was, and what became of its lines."""

    source: Source
    coverage: Coverage
    stamps: Mapping[str, int]  # how many lines were dated, yearless, time only
    wrappers: tuple[Mapping[str, str], ...] = ()
    last_line: int = 0
    joined: Mapping[int, int] = field(
        default_factory=dict
    )  # physical lines that were one line before somebody broke it
    torn: int = 0  # lines that a cut left without their beginning or their end


@dataclass(slots=True, eq=False)
class Log:
    """One or several inputs of one incident, read.

    `tables` has one Arrow table a family that took a line, by name; rows are in the order of the inputs and their
    lines.
    """

    inputs: tuple[Input, ...]
    raw: Mapping[str, pa.Table]
    launches: tuple[Launch, ...]
    show_prompts: bool = False
    timezone: str = "unstated"
    _texts: dict[LineRef, str] = field(default_factory=dict)
    _public: dict[str, pa.Table] = field(default_factory=dict)

    @property
    def tables(self) -> Mapping[str, pa.Table]:
        if not self._public:
            shown = {name: tables.public(table) for name, table in self.raw.items()}
            masked = shown if self.show_prompts else {name: masked_table(table) for name, table in shown.items()}
            self._public.update(masked)
        return self._public

    @property
    def dated(self) -> bool:
        """Whether the lines carry dates; times without them count from 1970-01-01."""
        stamps = Counter[str]()
        for one in self.inputs:
            stamps.update(one.stamps)
        return stamps["dated"] >= stamps["time"] and bool(stamps["dated"])

    def fetch(self, refs: Iterable[LineRef]) -> None:
        """Read the texts of these lines in one pass an input, so that `text` has them."""
        wanted: dict[str, set[int]] = {}
        for ref in refs:
            if ref not in self._texts:
                wanted.setdefault(ref.path, set()).add(ref.line)
        for one in self.inputs:
            numbers = wanted.get(one.source.path)
            if numbers:
                found = one.source.lines_at(numbers, longest_bytes=_LONGEST_BYTES)
                for number, data in found.items():
                    text = data.decode(errors="backslashreplace").rstrip("\r")
                    self._texts[LineRef(one.source.path, number)] = text

    def whole(self, ref: LineRef) -> list[LineRef]:
        """The physical lines of a line: itself, and those that it was broken into (at most four)."""
        last = next(
            (one.joined.get(ref.line, ref.line) for one in self.inputs if one.source.path == ref.path), ref.line
        )
        return [LineRef(ref.path, number) for number in range(ref.line, min(last, ref.line + 3) + 1)]

    def text(self, ref: LineRef) -> str:
        """The physical line, unabridged up to 4 KiB; "" for a line that is not there."""
        if ref not in self._texts:
            self.fetch([ref])
        return self._texts.get(ref, "")


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a log that is asked for: records whose printed time lies between the two, both included."""

    since: datetime.datetime | None = None
    until: datetime.datetime | None = None

    def keep(self, table: pa.Table) -> pa.Table:
        mask = pa.scalar(True)
        for bound, compare in ((self.since, pc.greater_equal), (self.until, pc.less_equal)):
            if bound is not None:
                mask = pc.and_kleene(mask, compare(table["time"], pa.scalar(bound, pa.timestamp("ms"))))
        return table if isinstance(mask, pa.BooleanScalar) else table.filter(pc.fill_null(mask, False))


def read(sources: Sequence[Source], *, window: Window, show_prompts: bool, timezone: str) -> Log:
    """Read all inputs and cut them into launches."""
    inputs: list[Input] = []
    by_family: dict[str, list[pa.Table]] = {}
    for source in sources:
        reader = Reader()
        unwrapped = unwrapping(source)
        for block in unwrapped:
            reader.feed(block)
        reader.finish()
        inputs.append(_input(source, reader, unwrapped))
        for name, rows in reader.rows.items():
            table = window.keep(tables.of_rows(name, rows, source.path, show_prompts=show_prompts))
            if table.num_rows:
                by_family.setdefault(name, []).append(table)
    joined = {name: tables.joined(by_family[name]) for name in sorted(by_family)}
    pieces = _pieces(joined, inputs)
    joined = {name: _numbered(table, pieces) for name, table in joined.items()}
    launches = tuple(Launch(number, of_launch, joined) for number, of_launch in enumerate(pieces))
    for launch in launches:
        launch.release = release_of(launch)
    return Log(tuple(inputs), joined, launches, show_prompts, timezone)


def _input(source: Source, reader: Reader, unwrapped: Any) -> Input:
    wrappers = tuple(
        {"name": name, "confidence": found.confidence, "why": found.why}
        for name, found in getattr(unwrapped, "stack", ())
    )
    return Input(
        source,
        reader.coverage,
        {str(kind): count for kind, count in reader.clock.kinds.items()},
        wrappers,
        reader.last_line,
        reader.joined,
    )


def _pieces(found: Mapping[str, pa.Table], inputs: Sequence[Input]) -> list[tuple[Piece, ...]]:
    """The pieces of each launch, in the order of the inputs."""
    launches: list[tuple[Piece, ...]] = []
    for one in inputs:
        starts = boundaries(found, one.source.path)
        ends = [start - 1 for start in starts[1:]] + [max(one.last_line, 1)]
        launches.extend((Piece(one.source.path, a, b),) for a, b in zip(starts, ends, strict=True))
    return launches


def _numbered(table: pa.Table, launches: Sequence[tuple[Piece, ...]]) -> pa.Table:
    """The table with the launch of each row."""
    place = table.schema.get_field_index("launch")
    numbers = pa.array([0] * table.num_rows, pa.int32())
    path, line = table["path"].cast(pa.string()), table["line"]
    for number, pieces in enumerate(launches):
        for piece in pieces if number else ():
            inside = pc.and_(
                pc.equal(path, piece.path),
                pc.and_(pc.greater_equal(line, piece.first), pc.less_equal(line, piece.last)),
            )
            numbers = pc.if_else(inside, pa.scalar(number, pa.int32()), numbers)
    return table.set_column(place, "launch", numbers)
