"""Numbers in sentences: a lower end is never told below itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from logscope.wording import above


def test_a_floor_between_two_digits_is_told_as_the_upper_one() -> None:
    assert above(0.5225) == "0.523"
    assert above(0.77) == "0.770"
    assert above(0.7691) == "0.770"


@given(st.floats(min_value=0, max_value=1))
def test_what_is_told_is_never_below_the_floor_and_within_a_digit(floor: float) -> None:
    assert -1e-8 <= float(above(floor)) - floor < 0.001 + 1e-8
