"""What an event family is: which messages it takes, and the typed columns that come out of them.

A family is data. Its file in `logscope/events/` bears the name of its table and holds one `FAMILY = Family(...)`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, overload

ColumnType = Literal["int", "float", "bool", "text"]
Process = Literal["scheduler", "main", "any"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: the number as it is printed, in the unit that its name ends with.

    `key` is the key under which key–value lines print it ("" when it comes from a named group of a shape); several
    keys may feed one column when releases renamed them; a text column `<name>_kind` then holds the first word of the
    key that did. `decimals` is the printed precision of a float.
    """

    name: str
    type: ColumnType
    doc: str
    unit: str = ""
    keys: tuple[str, ...] = ()
    decimals: int = 2
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """One wording of a family's message.

    `pattern` must match the whole message (a `regex`/`re` pattern without flags; `.` does not match a newline unless
    `(?s)` stands in it); its named groups are columns. A group named `fields` is split into key–value pairs.
    `starts` are literal beginnings of the message: a message is tried only if it starts with one of them. Where the
    beginning varies, `contains` is a literal that must occur. `scope="line"` shapes are tried with search on every
    physical line, also on continuation lines inside tracebacks (allocator sentences); all others on the first line
    of a record, or with `scope="record"` on the record with its continuation lines. `sets` are constant columns.
    `bare=True` means that the message may stand on a line without SGLang's prefix.
    """

    pattern: str
    starts: tuple[str, ...] = ()
    contains: str = ""
    since: str = ""
    until: str = ""
    sets: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    scope: Literal["head", "record", "line"] = "head"
    bare: bool = True
    separator: Literal[": ", "="] = ": "


class ShapeTable(Sequence[Shape]):
    """Thousands of shapes that are found by their literals and made when a message has one of these.

    Making a shape costs a regular expression: made at once, they would cost more than reading a small log.
    """

    def __init__(self) -> None:
        self._made: dict[int, Shape] = {}

    @abstractmethod
    def make(self, number: int) -> Shape:
        """The shape with this number; raises IndexError beyond the last."""

    @abstractmethod
    def starting(self, letters: str) -> Iterator[tuple[str, int]]:
        """The literal beginnings that begin with these four characters, and the numbers of their shapes."""

    @abstractmethod
    def containing(self) -> Iterator[tuple[str, int]]:
        """The literals of the shapes whose beginning varies, and the numbers of these shapes."""

    @overload
    def __getitem__(self, number: int) -> Shape: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Shape]: ...
    def __getitem__(self, number: int | slice) -> Shape | Sequence[Shape]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        if number not in self._made:
            self._made[number] = self.make(number)
        return self._made[number]


@dataclass(frozen=True, slots=True)
class Family:
    """A table: its shapes, its columns, and which process prints it.

    `process` names the process of lines without a rank token: "scheduler" lines are TP0's, all others main's.
    `hot` families are read column-wise. Of more rows than `most_rows`, the first and the last of each kind are looked
    at one by one; all of them are in the table. `multiline` families own the continuation lines that follow their head.
    """

    shapes: tuple[Shape, ...] | ShapeTable
    columns: tuple[Column, ...]
    process: Process = "any"
    hot: bool = False
    multiline: bool = False
    open_keys: bool = False  # unknown keys become columns and are reported
    last: bool = False  # tried only on messages that no other family takes
    most_rows: int = 5_000
    private: tuple[str, ...] = ()  # columns that hold prompts, outputs or secrets: masked unless asked for
    shared: bool = False  # other programs print such lines too: they do not show whose log it is
    informs: bool = False  # its lines only tell of a start: no exception is printed with one
    dumps: bool = False  # the server's own numbers stand beside what users wrote: its evidence sentences count


@dataclass(frozen=True, slots=True)
class Noise:
    """A line of another program that carries no evidence: which program, and why it may be passed over."""

    program: str
    reason: str
    pattern: str  # matched from the beginning of the line (or message)
    starts: tuple[str, ...] = ()
    contains: str = ""
    continues: bool = False  # unframed lines that follow belong to it (banners, usage texts)
