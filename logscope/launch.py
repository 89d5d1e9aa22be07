"""One server start of a log: its ranks, its arguments, its rows."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from logscope import alike, tables
from logscope.errors import FactMissing
from logscope.family import Column
from logscope.quantity import Interval, LineRef, Quantity
from logscope.server_arguments import arguments_of
from logscope.sglang import ReleaseRange
from logscope.shapes import families

Kept = TypeVar("Kept")
_ZONE_S = 900.0  # time zones differ by multiples of it
BEGINS = ("load_weight", "distributed_init")
BATCHES = ("prefill_batch", "decode_batch")
SERVING = ("capacity", "ready", *BATCHES)
FAILING = ("failure", "signal", "process_exit", "shell", "budget_refused", "shutdown", "fatal_signal")


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one input that belong to one launch: all from the first to the last, or those with certain labels."""

    path: str
    first: int
    last: int
    labels: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class ClockOffset:
    """By how much the clock of an input is ahead of that of the launch's first input, bounded from events of both."""

    path: str
    lo_s: float
    hi_s: float
    why: str
    against: str = ""  # the input of another launch that it is ahead of; "" for the first of its own


@dataclass(frozen=True, slots=True)
class Row(Mapping[str, Any]):
    """One row of a table: values by column, the line, and intervals as wide as the printing. A missing value raises."""

    table: str
    cells: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        value = self.cells.get(name)
        if value is None:
            raise FactMissing(f"{self.ref.path}:{self.ref.line} ({self.table}) prints no {name}")
        return value

    def __iter__(self) -> Any:
        return (name for name, value in self.cells.items() if value is not None)

    def __len__(self) -> int:
        return sum(value is not None for value in self.cells.values())

    def get(self, name: str, default: Any = None) -> Any:
        value = self.cells.get(name)
        return default if value is None else value

    @property
    def ref(self) -> LineRef:
        return LineRef(self.cells["path"], self.cells["line"])

    @property
    def last_line(self) -> int:
        """The last line of the record, for records of several lines."""
        return int(self.cells.get("_last_line") or self.cells["line"])

    def line_of_text(self, offset: int) -> LineRef:
        """The physical line of one line of a record's text, counted from 0."""
        numbers = self.cells.get("_lines") or ()
        line = numbers[offset] if offset < len(numbers) else self.ref.line + offset
        return LineRef(self.ref.path, line)

    @property
    def rank(self) -> str:
        return str(self.cells["rank"])

    @property
    def stands_for(self) -> int:
        """How many rows of its kind it stands for: more than one where a launch has very many."""
        return int(self.cells.get("_stands_for") or 1)

    @property
    def time(self) -> float:
        """Seconds since 1970-01-01 of the clock as printed."""
        value = self.cells.get("time")
        if value is None:
            raise FactMissing(f"{self.ref.path}:{self.ref.line} has no time")
        return float(value.timestamp()) if hasattr(value, "timestamp") else float(value)

    def quantity(self, name: str, label: str | None = None) -> Quantity:
        """A number of the row with the interval that its printed decimals allow."""
        value = self[name]
        column = _column(self.table, name)
        if column.type == "int":
            interval = Interval.exact(value)
        elif not math.isfinite(value):
            raise FactMissing(f"{self.ref.path}:{self.ref.line} prints {name} as {value}")
        else:
            own = json.loads(self.cells.get("_decimals") or "{}")
            interval = Interval.printed(value, own.get(name, column.decimals))
        return Quantity(label or name, float(value), interval, column.unit, self.ref, "printed", self.rank)


@functools.cache
def _column(table: str, name: str) -> Column:
    return next(c for c in families()[table].columns if c.name == name)


@dataclass(slots=True, eq=False)
class Launch:
    """One start of a server and all that follows up to the next. `tables` are those of the whole log."""

    id: int
    pieces: tuple[Piece, ...]
    tables: Mapping[str, pa.Table]
    release: ReleaseRange = field(default_factory=ReleaseRange)
    joined_because: str = ""
    kept_apart: tuple[tuple[str, str], ...] = ()  # first inputs of other launches, and why they are others
    role: str = ""  # prefill, decode, encoder, router, client; "" for a server that does it all
    clock_offsets: tuple[ClockOffset, ...] = ()
    thinned: dict[str, int] = field(default_factory=dict)  # families with more rows than are looked at one by one
    _cache: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return self.pieces[0].path

    @property
    def first(self) -> LineRef:
        return LineRef(self.pieces[0].path, self.pieces[0].first)

    @property
    def last(self) -> LineRef:
        return LineRef(self.pieces[-1].path, self.pieces[-1].last)

    def ahead_s(self, path: str) -> float:
        """By how much the clock of an input is ahead of the first input's; 0 unless events show that it must be.

        A difference of time zones where it lies within the bounds, else their middle, in whole seconds.
        """
        for offset in self.clock_offsets:
            if offset.path == path and not offset.against and not offset.lo_s <= 0 <= offset.hi_s:
                zone = math.ceil(offset.lo_s / _ZONE_S) * _ZONE_S
                return zone if zone <= offset.hi_s else float(round((offset.lo_s + offset.hi_s) / 2))
        return 0.0

    def keep_clocks(self, offsets: tuple[ClockOffset, ...]) -> None:
        """From now on the times of all rows are those of the first input's clock."""
        self.clock_offsets = offsets
        self._cache.clear()

    def kept(self, key: str, make: Callable[[], Kept]) -> Kept:
        """What was made under this key before, else what is made now: many rules ask the same of one launch."""
        if key not in self._cache:
            self._cache[key] = make()
        found: Kept = self._cache[key]
        return found

    def _on_one_clock(self, table: pa.Table) -> pa.Table:
        ahead = {offset.path: round(self.ahead_s(offset.path) * 1000) for offset in self.clock_offsets}
        if not any(ahead.values()) or not table.num_rows:
            return table
        paths, times = table["path"].cast(pa.string()), table["time"].cast(pa.int64())
        for path, ahead_ms in ahead.items():
            times = pc.if_else(pc.equal(paths, path), pc.subtract(times, ahead_ms), times)
        place = table.schema.get_field_index("time")
        return table.set_column(place, "time", times.cast(pa.timestamp("ms")))

    def table(self, name: str) -> pa.Table:
        """The rows of one family that belong to this launch, in the order of the log; empty if none.

        Times of several inputs are those of one clock.
        """
        return self.kept(f"table:{name}", lambda: self._own(name))

    def _own(self, name: str) -> pa.Table:
        whole = self.tables.get(name)
        return self._on_one_clock(pa.table({}) if whole is None else tables.of_launch(whole, self.id))

    def rows(self, name: str) -> list[Row]:
        """The same as row objects. Of a family that printed very many lines, those that `alike` chooses."""
        return self.kept(f"rows:{name}", lambda: self._looked_at(name))

    def _looked_at(self, name: str) -> list[Row]:
        table = self.table(name)
        most = families()[name].most_rows if table.num_rows else 0
        if table.num_rows <= most:
            return [Row(name, cells) for cells in table.to_pylist()]
        places, stands = alike.chosen(name, table, most)
        self.thinned[name] = len(places)
        found = zip(table.take(pa.array(places)).to_pylist(), stands.tolist(), strict=True)
        return [Row(name, cells | {"_stands_for": count}) for cells, count in found]

    def first_row(self, name: str) -> Row | None:
        """The first row of a family; None where there is none."""
        table = self.table(name)
        return Row(name, table.slice(0, 1).to_pylist()[0]) if table.num_rows else None

    def has(self, *names: str) -> bool:
        """Whether any of these families has a row."""
        return any(self.table(name).num_rows for name in names)

    @property
    def ranks(self) -> tuple[str, ...]:
        """The names of the ranks that printed anything, in order; `main` last."""
        return self.kept("ranks", self._ranks)

    def _ranks(self) -> tuple[str, ...]:
        found: set[str] = set()
        for name in self.tables:
            for piece in tables.pieces(self.table(name)):
                if "rank" in piece.column_names and piece.num_rows:
                    found.update(piece["rank"].unique().cast(pa.string()).to_pylist())
        return tuple(sorted(found, key=rank_order))

    def rank(self, name: str) -> Rank:
        return Rank(self, name)

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The server arguments as printed; empty when no dump is in the log."""
        return self.kept("arguments", self._arguments)

    def _arguments(self) -> Mapping[str, Any]:
        rows = self.rows("server_args")
        return arguments_of(rows[0]["text"]) if rows else {}

    def argument(self, name: str) -> Any:
        """One server argument (which may be None: not set); raises FactMissing when the dump does not hold it."""
        if name not in self.arguments:
            what = "prints no server_args" if not self.arguments else f"prints server_args without {name}"
            raise FactMissing(f"launch {self.id} {what}")
        return self.arguments[name]

    @property
    def arguments_line(self) -> LineRef:
        rows = self.rows("server_args")
        if not rows:
            raise FactMissing(f"launch {self.id} prints no server_args")
        return rows[0].ref


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank of a launch."""

    launch: Launch
    name: str

    def table(self, name: str) -> pa.Table:
        table = self.launch.table(name)
        if not table.num_rows:
            return table
        return self.launch.kept(f"table:{name}:{self.name}", lambda: tables.of_rank(table, self.name))

    def rows(self, name: str) -> list[Row]:
        # Sorted once: each rank would look through the rows of all.
        of_ranks = self.launch.kept(f"rows of ranks:{name}", lambda: _by_rank(self.launch.rows(name)))
        return list(of_ranks.get(self.name, ()))


def _by_rank(rows: Iterable[Row]) -> dict[str, list[Row]]:
    sorted_out: dict[str, list[Row]] = {}
    for row in rows:
        sorted_out.setdefault(row.rank, []).append(row)
    return sorted_out


def rank_order(name: str) -> tuple[bool, list[tuple[str, int]]]:
    """A sort key by which TP2 stands before TP10, and `main` last."""
    tokens = [token.rstrip("-0123456789") for token in name.split()]
    numbers = [token[len(kind) :] for token, kind in zip(name.split(), tokens, strict=True)]
    return name == "main", [(kind, int(number or 0)) for kind, number in zip(tokens, numbers, strict=True)]
