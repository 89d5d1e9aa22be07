"""The values of one column in some lines, as narrow as they can be kept, and what Arrow makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from logscope.columns.words import Array

Kind = Literal["int", "float", "bool", "text"]
TYPES = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "text": pa.string()}
_NUMPY = {"int": np.int64, "float": np.float64, "bool": np.bool_}


@dataclass(frozen=True, slots=True)
class Cells:
    """One value a line. A float is kept as the whole number that its digits are: `values` ÷ 10^`decimals`.

    With `words`, the values are codes into them; `there` tells which lines have a value (None: all). Texts that hardly
    repeat are an Arrow array of strings instead.
    """

    kind: Kind
    values: Any
    decimals: int = 0
    words: Sequence[Any] = ()
    there: Array | None = None

    def floats(self) -> Array:
        """Numbers and flags as float64, NaN where a line has none."""
        made: Array = np.array(self.words, np.float64)[self.values] if self.words else self.values.astype(np.float64)
        if self.decimals:
            # Both are exact, so the quotient is the float that is nearest to what is printed.
            made /= 10.0**self.decimals
        if self.there is not None:
            made[~self.there] = np.nan
        return made

    def arrow(self) -> pa.Array:
        """The values in the type of their column; null where a line has none."""
        if isinstance(self.values, pa.Array):
            return self.values
        missing = None if self.there is None else ~self.there
        if self.words:
            return pa.array(list(self.words), TYPES[self.kind]).take(
                pa.array(self.values.astype(np.int32), mask=missing)
            )
        if self.decimals:
            return pa.array(self.values / 10.0**self.decimals, mask=missing)
        return pa.array(self.values.astype(_NUMPY[self.kind]), mask=missing)

    def chosen(self, places: Array) -> Cells:
        """The values of some lines."""
        if isinstance(self.values, pa.Array):
            return Cells(self.kind, self.values.take(pa.array(places)))
        there = None if self.there is None else self.there[places]
        return Cells(self.kind, self.values[places], self.decimals, self.words, there)

    @property
    def arrays(self) -> list[Any]:
        """What takes memory."""
        return [self.values] + ([] if self.there is None else [self.there])

    def moved(self, move: Callable[[Any], Any]) -> Cells:
        """The same with its arrays in another place."""
        there = None if self.there is None else move(self.there)
        return Cells(self.kind, move(self.values), self.decimals, self.words, there)


def narrow(values: Array) -> Array:
    """The same whole numbers, none below zero, in the narrowest signed type that holds them all."""
    top = int(values.max(initial=0))
    return values.astype(
        np.int8 if top < 1 << 7 else np.int16 if top < 1 << 15 else np.int32 if top < 1 << 31 else np.int64
    )


def constant(value: Any, kind: Kind, count: int) -> Cells:
    """The same value on every line."""
    return Cells(kind, np.zeros(count, np.int8), words=(value,))
