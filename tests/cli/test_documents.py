"""`rules`, `explain`, `formats` and `schema` print what the units and files say of themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from logscope.discover import units


def test_every_rule_is_listed_with_its_severity_and_kind(run: Callable[..., Any]) -> None:
    rows = json.loads(run("rules", "--format", "json").out)
    assert [f"{row['code'].lower()}_{row['name']}" for row in rows] == list(units("logscope.rules"))
    assert {row["severity"] for row in rows} <= {"error", "warning", "note"}
    assert {row["kind"] for row in rows} <= {"impossible", "mismatch", "smell", "signature"}
    text = run("rules").out
    assert len(text.splitlines()) == len(rows)


def test_every_unit_is_explained_under_its_name(run: Callable[..., Any]) -> None:
    for collection in ("rules", "causes", "events", "wrappers"):
        for name, module in units(f"logscope.{collection}").items():
            ran = run("explain", name)
            assert ran.code == 0, ran.err
            assert (module.__doc__ or "").strip().splitlines()[0] in ran.out


def test_a_rule_is_explained_under_its_code_in_either_case(run: Callable[..., Any]) -> None:
    name = next(iter(units("logscope.rules")))
    code = name.partition("_")[0]
    assert "What it says" in run("explain", code.upper()).out
    assert "What it says" in run("explain", code).out


def test_a_cause_and_a_table_of_one_name_are_both_explained(run: Callable[..., Any]) -> None:
    for name in units("logscope.causes").keys() & units("logscope.events").keys():
        out = run("explain", name).out
        assert f"{name} (cause)" in out
        assert f"{name} (table)" in out


def test_an_unknown_name_is_answered_with_near_ones(run: Callable[..., Any]) -> None:
    ran = run("explain", "decode_bach")
    assert ran.code == 2
    assert "did you mean decode_batch" in ran.err


def test_the_columns_of_every_family_are_described(run: Callable[..., Any]) -> None:
    for name, module in units("logscope.events").items():
        words = run("formats", name).out.split()
        for column in module.FAMILY.columns:
            assert column.name in words
            assert not set(column.doc.split()) - set(words)
            assert all(f"`{key}`" in " ".join(words) for key in column.keys)


def test_every_family_is_listed_on_a_line(run: Callable[..., Any]) -> None:
    assert [line.split()[0] for line in run("formats").out.splitlines()] == list(units("logscope.events"))


def test_the_matrix_has_a_row_for_every_sampled_wording(run: Callable[..., Any]) -> None:
    lines = run("formats", "--matrix").out.splitlines()
    samples = sum((module.__doc__ or "").count("#@ ") for module in units("logscope.events").values())
    assert sum(line.startswith("  ") for line in lines) == samples
    assert [line for line in lines if line and not line.startswith("  ")] == list(units("logscope.events"))
    assert max(map(len, lines)) <= 100


def test_releases_are_told_in_words_and_not_as_the_markers_of_a_docstring(run: Callable[..., Any]) -> None:
    told = run("formats", "decode_batch").out + run("formats", "decode_batch", "--matrix").out
    assert "0.1.18 to 0.2.6" in told
    assert "0.1.15:\n" in told
    assert "#@" not in told
    assert ".." not in told.partition("Meaning")[0]


def test_an_unknown_family_is_a_usage_error(run: Callable[..., Any]) -> None:
    assert run("formats", "no_such_family").code == 2


def test_the_schema_is_the_file_that_ships(run: Callable[..., Any]) -> None:
    schema = json.loads(run("schema").out)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert run("schema", "nothing-9").code == 2
