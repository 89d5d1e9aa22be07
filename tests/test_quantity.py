"""Quantities: intervals as wide as their printing, arithmetic that rounds outward."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.errors import UsageError
from logscope.quantity import Interval, LineRef, Quantity

finite = st.floats(min_value=-1e12, max_value=1e12, allow_nan=False)
whole = st.integers(min_value=-(10**9), max_value=10**9)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    ends = sorted((draw(finite), draw(finite)))
    return Interval(ends[0], ends[1])


def inside(interval: Interval, value: Fraction) -> bool:
    low = math.isinf(interval.lo) or Fraction(interval.lo) <= value
    return low and (math.isinf(interval.hi) or value <= Fraction(interval.hi))


@given(intervals(), intervals())
def test_arithmetic_encloses_the_exact_result_of_all_ends(x: Interval, y: Interval) -> None:
    for a in (Fraction(x.lo), Fraction(x.hi)):
        for b in (Fraction(y.lo), Fraction(y.hi)):
            assert inside(x + y, a + b)
            assert inside(x - y, a - b)
            assert inside(x * y, a * b)
            if b and not y.lo <= 0 <= y.hi:
                assert inside(x / y, a / b)


@given(finite, st.integers(min_value=0, max_value=4))
def test_a_printed_number_encloses_what_was_printed(value: float, decimals: int) -> None:
    printed = Quantity.from_text("x", f"{value:.{decimals}f}")
    assert value in printed.interval
    assert printed.interval.width <= 1.001 * 10.0**-decimals + 1e-3 * abs(value) * 1e-9


@given(whole, whole)
def test_whole_numbers_stay_exact(a: int, b: int) -> None:
    x, y = Interval.exact(a), Interval.exact(b)
    assert (x + y).width == 0
    assert (x - y).width == 0
    assert (x * y).width == 0 or abs(a * b) >= 2**53


def test_the_decimals_of_a_text_give_its_width() -> None:
    assert Quantity.from_text("a", "21.70", "GiB").interval.width == pytest.approx(0.01)
    assert Quantity.from_text("a", "94.0", "GiB").interval.width == pytest.approx(0.1)
    thousands = Quantity.from_text("n", "159K", "tokens").interval
    assert (thousands.lo, thousands.hi) == (pytest.approx(158_500), pytest.approx(159_500))
    assert Quantity.from_text("n", "1,024").value == 1024


def test_text_that_is_no_number_is_refused() -> None:
    with pytest.raises(UsageError, match="'a lot'"):
        Quantity.from_text("pool", "a lot")


def test_division_by_what_may_be_zero_leaves_everything_or_a_half_line() -> None:
    assert (Interval(1, 2) / Interval(-1, 1)) == Interval(-math.inf, math.inf)
    half = Interval(1, 2) / Interval(0, 4)
    assert half.lo == pytest.approx(0.25)
    assert half.hi == math.inf
    below = Interval(1, 2) / Interval(-4, 0)
    assert below.lo == -math.inf
    assert below.hi == pytest.approx(-0.25)


def test_certain_comparisons_ask_every_value() -> None:
    assert Interval(1, 2).below(Interval(2.5, 3))
    assert not Interval(1, 2).below(Interval(2, 3))
    assert Interval(3, 4).above(2.5)
    assert Interval(1, 2).distance(Interval(5, 6)) == 3
    assert Interval(1, 5).distance(Interval(5, 6)) == 0


def test_a_unit_changes_with_its_equation_and_keeps_its_line() -> None:
    line = LineRef("a.log", 7)
    pool = Quantity.from_text("kv_pool", "10.42", "GiB", line=line)
    in_bytes = pool.scaled(2.0**30, "bytes", "kv_pool · 2^30")
    assert in_bytes.line == line
    assert in_bytes.origin == "computed"
    assert 10.42 * 2**30 in in_bytes.interval
