"""The report as JSON."""

from __future__ import annotations

import json

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from logscope.render._validity import schema
from logscope.render.json import ORDER
from logscope.render.json import json as to_json


def test_it_holds_exactly_the_report(kept_report: dict) -> None:
    assert json.loads(to_json(kept_report)) == kept_report


def test_it_fits_the_schema(any_report: dict) -> None:
    jsonschema.Draft202012Validator(schema("report-1")).validate(json.loads(to_json(any_report)))


def test_the_order_of_the_keys_is_that_of_the_schema(kept_report: dict) -> None:
    mixed = dict(reversed(list(kept_report.items())))
    assert to_json(mixed) == to_json(kept_report)
    assert list(json.loads(to_json(mixed))) == [name for name in ORDER if name in kept_report]
    named = list(schema("report-1")["properties"])
    assert list(ORDER) == named


def test_numbers_that_are_not_finite_are_absent(empty_report: dict) -> None:
    empty_report["verdict"]["fraction_range"] = {"lo": 0.4, "hi": float("inf"), "why": "open"}
    assert json.loads(to_json(empty_report))["verdict"]["fraction_range"] == {"lo": 0.4, "why": "open"}


def test_lone_surrogates_become_the_bytes_that_they_stand_for(empty_report: dict) -> None:
    empty_report["title"] = "a\udcffb\ud800c"
    assert json.loads(to_json(empty_report))["title"] == "a\\xffb\\ud800c"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(value=JSON)
def test_any_value_survives(value: object) -> None:
    assert json.loads(to_json({"value": value})) == {"value": value}
