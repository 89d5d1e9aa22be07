"""Two starts side by side: the change of the pool goes to its causes, exactly, and the rest is told."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.compare import WITHOUT, Side, attribution, comparison, pool_of_budget, shapley
from logscope.errors import FactMissing
from logscope.quantity import Quantity
from logscope.relations import Setting
from logscope.sglang.releases import exactly

SCHEMA = json.loads((Path(__file__).parents[1] / "logscope/schema/comparison-1.json").read_text())
CUDA = Setting(release=exactly("0.5.9", "the wording"))
MLX = Setting(release=exactly("0.5.22", "a dictionary"), device="mps", mlx=True)


def mlx(name: str, available: str, budget: str, tokens: int, *, fraction: float = 0.872) -> Side:
    facts = {
        "sys_available": Quantity.from_text("sys_available", available, "GiB"),
        "kv_budget": Quantity.from_text("kv_budget", budget, "GiB"),
        "max_total_num_tokens": Quantity.exact("max_total_num_tokens", tokens, "tokens"),
        "mem_fraction_static": Quantity.exact("mem_fraction_static", fraction, "share"),
        "mlx_limit": Quantity.from_text("mlx_limit", "51.8", "GiB"),
        "mlx_used": Quantity.from_text("mlx_used", "1.20", "GiB"),
        "cell_size": Quantity.exact("cell_size", 114_688, "bytes/token"),
    }
    return Side(name, facts, MLX, {"mem_fraction_static": fraction, "port": 30_000})


def cuda(name: str, **changes: Any) -> Side:
    """A start that follows the formula, printed; `changes` are its inputs."""
    inputs = {"before": 79.0, "weights": 15.02, "fraction": 0.83, "cell": 131_072, "cap": math.inf} | changes
    rest = inputs["fraction"] * inputs["before"] - inputs["weights"]
    tokens = int(min(rest * 2**30 // inputs["cell"], inputs["cap"]))
    pool = (tokens + 1) * inputs["cell"] / 2**30
    texts = {"avail_before_load": inputs["before"], "avail_after_load": inputs["before"] - inputs["weights"]}
    texts |= {"weights": inputs["weights"], "kv_pool": pool}
    facts = {key: Quantity.from_text(key, f"{value:.2f}", "GiB") for key, value in texts.items()}
    facts["mem_fraction_static"] = Quantity.exact("mem_fraction_static", inputs["fraction"], "share")
    facts["max_total_num_tokens"] = Quantity.exact("max_total_num_tokens", tokens, "tokens")
    facts["page_size"] = Quantity.exact("page_size", 1, "tokens")
    capped = math.isfinite(inputs["cap"])
    if capped:
        facts["max_total_tokens"] = Quantity.exact("max_total_tokens", inputs["cap"], "tokens")
        # A pool that the cap fixes tells the bytes of a token only through its own size.
    setting = Setting(release=CUDA.release, capped=capped)
    return Side(name, facts, setting, {"mem_fraction_static": inputs["fraction"], "chunked_prefill_size": 8192})


def shares_of(result: dict[str, Any]) -> dict[str, float]:
    return {row["name"]: row["contribution"] for row in result["attribution"]}


def test_the_whole_difference_of_two_mlx_starts_goes_to_the_snapshot_of_free_memory() -> None:
    result = comparison(mlx("log#0", "27.81", "24.25", 227_022), mlx("log#1", "38.29", "33.39", 312_581))
    jsonschema.validate(result, SCHEMA)
    assert shares_of(result) == {"sys_available": pytest.approx(85_559, abs=2)}
    assert result["remainder"]["within_rounding"] is True
    assert result["remainder"]["observed"] == 85_559
    assert result["arguments"] == []


def test_a_lower_fraction_and_more_free_memory_are_told_apart() -> None:
    third = mlx("log#2", "48.49", "19.39", 181_574, fraction=0.4)
    result = comparison(mlx("log#1", "38.29", "33.39", 312_581), third)
    shares = shares_of(result)
    assert shares["mem_fraction_static"] < 0 < shares["sys_available"]
    assert sum(shares.values()) == pytest.approx(181_574 - 312_581, abs=3)
    assert result["remainder"]["within_rounding"] is True


def test_one_changed_input_takes_the_whole_change() -> None:
    for change, name in (({"fraction": 0.86}, "mem_fraction_static"), ({"before": 60.0}, "avail_before_load")):
        result = comparison(cuda("a"), cuda("b", **change))
        assert set(shares_of(result)) == {name}
        assert result["remainder"]["within_rounding"] is True, result["remainder"]


def test_heavier_weights_and_larger_tokens_are_two_causes() -> None:
    result = comparison(cuda("a"), cuda("b", weights=30.04, cell=163_840))
    assert set(shares_of(result)) == {"weights", "cell_size"}
    assert all(share < 0 for share in shares_of(result).values())
    assert result["remainder"]["within_rounding"] is True, result["remainder"]


def test_a_cap_is_a_cause_of_its_own() -> None:
    shares = shares_of(comparison(cuda("a"), cuda("b", cap=100_000)))
    assert shares["max_total_tokens"] < 0


def test_a_difference_that_the_formula_does_not_make_is_left_as_remainder() -> None:
    a, b = mlx("a", "27.81", "24.25", 227_022), mlx("b", "27.81", "24.25", 227_022)
    moved = {**b.facts, "max_total_num_tokens": Quantity.exact("max_total_num_tokens", 100_000, "tokens")}
    del moved["kv_budget"]
    result = comparison(a, Side("b", moved, MLX, b.arguments))
    assert result["remainder"]["within_rounding"] is False or shares_of(result)


def test_arguments_that_differ_are_listed_and_those_without_effect_named() -> None:
    a, b = cuda("a"), cuda("b")
    other = Side("b", b.facts, b.setting, {**b.arguments, "chunked_prefill_size": 4096})
    result = comparison(a, other)
    assert result["arguments"] == [{"name": "chunked_prefill_size", "a": 8192, "b": 4096}]
    assert result["changed_without_effect"] == ["chunked_prefill_size"]
    assert "not_attributed" not in result


def test_two_backends_are_compared_but_their_pools_are_not_attributed() -> None:
    result = comparison(cuda("a"), mlx("b", "27.81", "24.25", 227_022))
    jsonschema.validate(result, SCHEMA)
    assert result["attribution"] == []
    assert "different rules" in result["remainder"]["why"]
    assert (result["not_attributed"], result["changed_without_effect"]) == (["mem_fraction_static"], [])
    assert {row["name"] for row in result["quantities"]} >= {"kv_pool", "sys_available"}


def test_a_start_without_its_memory_lines_is_not_attributed() -> None:
    bare = Side("b", {"mem_fraction_static": cuda("b").facts["mem_fraction_static"]}, CUDA, {})
    with pytest.raises(FactMissing, match="b tells no"):
        attribution(cuda("a"), bare)


def test_a_pool_that_is_printed_as_nothing_attributes_nothing_and_says_why() -> None:
    tiny = cuda("b", cap=16.0, cell=64)
    assert tiny.facts["kv_pool"].value == 0
    result = comparison(tiny, tiny)
    assert not result["attribution"]
    assert "bytes of a token" in result["remainder"]["why"]


numbers = st.floats(min_value=1, max_value=100)


@given(st.fixed_dictionaries(dict.fromkeys("abcd", numbers)), st.fixed_dictionaries(dict.fromkeys("abcd", numbers)))
def test_shares_add_up_to_the_change_and_do_not_depend_on_who_is_first(
    a: dict[str, float], b: dict[str, float]
) -> None:
    def sizing(point: Any) -> float:
        return max(point["a"] * point["b"] - point["c"], 0.0) / point["d"]

    there, back = shapley(sizing, a, b), shapley(sizing, b, a)
    assert sum(there.values()) == pytest.approx(sizing(b) - sizing(a), abs=1e-6)
    for name, value in a.items():
        assert there[name] == pytest.approx(-back[name], abs=1e-6)
        if value == b[name]:
            assert there[name] == 0


def test_a_negative_budget_is_a_pool_of_nothing() -> None:
    point = {"avail_before_load": 94.0, "weights": 72.3, "mem_fraction_static": 0.5, "cell_size": 70_272.0}
    assert pool_of_budget({**WITHOUT, **point}) == 0


def test_who_set_an_argument_is_told_where_it_follows_and_other_releases_make_no_difference() -> None:
    a, b = cuda("a"), cuda("b")
    older = Side("a", a.facts, replace(a.setting, release=exactly("0.5.9", "a test")), {"log_requests": False})
    newer_arguments = {"log_requests": True, "strip_thinking_cache": False}
    newer = Side("b", b.facts, replace(b.setting, release=exactly("0.5.11", "a test")), newer_arguments)
    told = comparison(older, newer)["arguments"]
    row = {"name": "log_requests", "a": False, "b": True, "a_origin": "default", "b_origin": "given"}
    assert told == [row]


def test_an_argument_that_no_fraction_reads_has_no_effect_beside_a_changed_fraction() -> None:
    a = cuda("a")
    changed = {**a.arguments, "schedule_conservativeness": 1.3}
    first = Side("a", a.facts, a.setting, {**a.arguments, "schedule_conservativeness": 1.0})
    b = cuda("b", fraction=0.7)
    result = comparison(first, Side("b", b.facts, b.setting, {**b.arguments, **changed}))
    assert {row["name"] for row in result["attribution"]} == {"mem_fraction_static"}
    assert result["changed_without_effect"] == ["schedule_conservativeness"]


def test_readings_that_both_print_alike_are_no_cause_however_their_pools_pull_them_apart() -> None:
    a, b = cuda("a"), cuda("b")
    larger = {
        "kv_pool": Quantity.from_text("kv_pool", f"{b.facts['kv_pool'].value + 0.04:.2f}", "GiB"),
        "max_total_num_tokens": b.facts["max_total_num_tokens"],
    }
    shares = shares_of(comparison(a, replace(b, facts={**b.facts, **larger})))
    assert "weights" not in shares


def test_an_argument_that_the_server_changed_is_told_with_the_value_before() -> None:
    a = cuda("a")
    b = replace(a, arguments={**a.arguments, "chunked_prefill_size": 1024}, rewritten={"chunked_prefill_size": "8192"})
    (row,) = comparison(a, b)["arguments"]
    assert (row["b_origin"], row["b_before"]) == ("rewritten", "8192")
