"""Which rows of a very large table are looked at one by one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from logscope import alike
from logscope.columns.deferred import Deferred
from logscope.parse import Reader
from logscope.source import Block
from logscope.tables import of_rows


def failures(*exceptions: str) -> pa.Table:
    """One failing request a line of an exception, with ids and numbers of its own."""
    texts = [
        f'[2026-11-01 09:00:00 TP0] Request {n:032x} failed: Traceback (most recent call last):\n  File "a.py", line {n}, in f\n'
        f"    g()\n{exception.format(n=n)}"
        for n, exception in enumerate(exceptions)
    ]
    reader = Reader()
    reader.feed(Block("log", 1, "\n".join(texts).encode()))
    reader.finish()
    return of_rows("failure", reader.rows["failure"], "log", show_prompts=True)


COMMON = "ValueError: the request {n} is too long"


def test_the_one_row_of_another_kind_is_always_chosen() -> None:
    table = failures(*[COMMON] * 300, "torch.OutOfMemoryError: no memory", *[COMMON] * 200)
    places, stands = alike.chosen("failure", table, 20)
    assert 300 in places
    assert len(places) <= 20
    assert int(stands.sum()) == 501
    assert {0, 500} <= set(places.tolist())
    assert (np.diff(places) > 0).all()


def test_a_deferred_table_is_chosen_from_alike() -> None:
    table = failures(*[COMMON] * 90, "KeyError: 'x'", *[COMMON] * 9)
    deferred = Deferred("failure", [table.slice(0, 40), table.slice(40, 60)])
    for mine, other in zip(alike.chosen("failure", deferred, 10), alike.chosen("failure", table, 10), strict=True):
        assert mine.tolist() == other.tolist()


def test_of_too_many_kinds_the_first_are_chosen() -> None:
    table = failures(*[f"Error{'abcdefghij'[n // 10]}{'klmnopqrst'[n % 10]}Error: bad" for n in range(100)])
    places, stands = alike.chosen("failure", table, 7)
    assert places.tolist() == list(range(7))
    assert stands.tolist() == [1] * 7


@pytest.mark.parametrize("most", [2, 3, 4, 5, 8, 9, 100])
def test_all_rows_are_stood_for(most: int) -> None:
    table = failures(*[COMMON] * 8)
    places, stands = alike.chosen("failure", table, most)
    assert len(places) <= most
    assert int(stands.sum()) == 8
