"""What another flag would have done: the log reproduced first, then predicted, and conditions asked backwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from logscope.condition import changes, condition, number, sweep
from logscope.errors import FactMissing, UsageError
from logscope.flag_range import solved_for_flag
from logscope.quantity import Interval, Quantity
from logscope.relations import Setting
from logscope.sglang.releases import exactly
from logscope.whatif import prediction, swept

SCHEMA = json.loads((Path(__file__).parents[1] / "logscope/schema/prediction-1.json").read_text())
CUDA = Setting(release=exactly("0.5.9", "the wording"), attention="mla", kv_bytes=2)
MLX = Setting(release=exactly("0.5.22", "a dictionary"), device="mps", mlx=True)
UNITS = {"mem_fraction_static": "share", "cell_size": "bytes/token", "max_running_requests": "requests"}


def facts(counts: dict[str, float], **texts: str) -> dict[str, Quantity]:
    """Counts in full, memory as it is printed."""
    exact = {name: Quantity.exact(name, value, UNITS.get(name, "tokens")) for name, value in counts.items()}
    return {**exact, **{name: Quantity.from_text(name, text, "GiB") for name, text in texts.items()}}


REFUSED = facts(
    {"mem_fraction_static": 0.50, "cell_size": 70_272, "page_size": 1, "context_length": 262_144},
    avail_before_load="94.00",
    avail_after_load="21.70",
)
BOOTED = facts(
    {"mem_fraction_static": 0.88, "page_size": 1, "max_total_num_tokens": 159_200, "context_length": 262_144},
    avail_before_load="94.00",
    avail_after_load="21.70",
    kv_pool="10.42",
    avail_pool_end="10.40",
    graph_memory="2.10",
)


def named(predicted: dict[str, Any]) -> dict[str, Any]:
    return {row["name"]: row for row in predicted["predicted"]}


def test_a_refused_start_is_reproduced_and_0_770_boots_with_1_222_tokens() -> None:
    answer = prediction(REFUSED, CUDA, {"mem_fraction_static": 0.770}, refused=True)
    jsonschema.validate(answer, SCHEMA)
    assert answer["reproduced"]["agrees"] is True
    assert answer["refused"] is False
    tokens = named(answer)["max_total_num_tokens"]
    assert tokens["value"] == pytest.approx(1222, abs=1)
    assert tokens["lo"] < 1222 < tokens["hi"]


def test_0_70_is_refused_again_and_shows_a_budget_but_no_pool() -> None:
    answer = prediction(REFUSED, CUDA, {"mem_fraction_static": 0.70})
    assert answer["refused"] is True
    assert list(named(answer)) == ["rest_memory"]
    assert named(answer)["rest_memory"]["value"] == pytest.approx(-6.50, abs=0.01)
    assert answer["fraction_range"]["lo"] == pytest.approx(0.7691, abs=2e-4)


def test_the_pool_that_is_asked_for_gives_the_range_of_the_fraction() -> None:
    answer = solved_for_flag(REFUSED, CUDA, {}, flag="mem_fraction_static", wanted=condition("pool >= 150000"))
    assert answer["lo"] < 0.88 < answer["hi"]
    assert answer["possible"]["lo"] < answer["lo"]
    assert "floor 0.7691" in answer["why"]
    below = prediction(REFUSED, CUDA, {"mem_fraction_static": answer["possible"]["lo"] - 1e-4})
    assert named(below)["max_total_num_tokens"]["hi"] < 150_000
    at = prediction(REFUSED, CUDA, {"mem_fraction_static": answer["lo"]})
    assert named(at)["max_total_num_tokens"]["lo"] >= 149_999


def test_a_pool_that_no_fraction_gives_is_told_so() -> None:
    answer = solved_for_flag(REFUSED, CUDA, {}, flag="mem_fraction_static", wanted=condition("pool >= 2m"))
    assert "lo" not in answer
    assert answer["why"].startswith("no value of mem_fraction_static")


def test_headroom_bounds_the_fraction_from_above() -> None:
    answer = solved_for_flag(BOOTED, CUDA, {}, flag="mem_fraction_static", wanted=condition("headroom >= 12"))
    assert answer["hi"] < 0.88
    at = prediction(BOOTED, CUDA, {"mem_fraction_static": answer["hi"]})
    assert named(at)["headroom"]["lo"] >= 12 - 1e-6


def test_a_booted_start_is_reproduced_to_its_rounding() -> None:
    answer = prediction(BOOTED, CUDA, {})
    assert answer["reproduced"]["agrees"] is True
    rows = {row["name"]: row for row in answer["reproduced"]["quantities"]}
    assert rows["kv_pool"]["apart"] == 0
    assert rows["kv_pool"]["printed"]["value"] == 10.42
    assert named(answer)["max_total_num_tokens"]["lo"] <= 159_200 <= named(answer)["max_total_num_tokens"]["hi"]


def test_a_start_that_contradicts_itself_says_by_how_much_before_it_predicts() -> None:
    wrong = {**BOOTED, **facts({"mem_fraction_static": 0.55})}
    answer = prediction(wrong, CUDA, {})
    assert answer["reproduced"]["agrees"] is False
    assert "mem_fraction_static is taken as 0.88" in answer["reproduced"]["notes"][0]
    rows = {row["name"]: row for row in answer["reproduced"]["quantities"]}
    assert named(answer)["max_total_num_tokens"]["value"] == pytest.approx(159_200, abs=200)
    assert rows["kv_pool"]["printed"]["value"] == 10.42


def test_a_cap_lowers_the_pool_and_never_raises_it() -> None:
    low = named(prediction(BOOTED, CUDA, {"max_total_tokens": 100_000}))
    assert (low["max_total_num_tokens"]["lo"], low["max_total_num_tokens"]["hi"]) == (100_000, 100_000)
    high = named(prediction(BOOTED, CUDA, {"max_total_tokens": 1e9}))
    assert high["max_total_num_tokens"]["hi"] < 160_000


def test_a_cache_of_half_the_element_size_holds_twice_the_tokens() -> None:
    answer = named(prediction(BOOTED, CUDA, {"kv_cache_dtype": "fp8_e4m3"}))
    assert answer["max_total_num_tokens"]["value"] == pytest.approx(2 * 159_200, abs=300)


def test_the_concurrency_is_that_of_the_context_that_is_asked_for() -> None:
    answer = named(prediction(BOOTED, CUDA, {}, context_tokens=32_768))
    assert answer["full_context_requests"]["lo"] == pytest.approx(159_200 / 32_768, abs=0.01)


def test_a_sweep_shows_where_the_refusal_ends() -> None:
    asked = sweep("mem_fraction_static=0.75:0.90:0.05")
    rows = swept(REFUSED, CUDA, {}, flag=asked.flag, values=asked.values)
    assert [row["refusal"] for row in rows] == ["yes", "no", "no", "no"]
    pools = [named(row)["max_total_num_tokens"]["value"] for row in rows[1:]]
    assert pools == sorted(pools)


def test_on_mlx_the_fraction_multiplies_what_is_free_and_nothing_refuses() -> None:
    start = facts({"mem_fraction_static": 0.872, "cell_size": 114_688, "max_total_num_tokens": 312_581})
    start |= facts({}, sys_available="38.29", kv_budget="33.39", mlx_used="1.20")
    start["mlx_limit"] = Quantity.from_text("mlx_limit", "51.8", "GiB")
    answer = prediction(start, MLX, {"mem_fraction_static": 0.4})
    assert answer["reproduced"]["agrees"] is True
    assert answer["refused"] is False
    assert named(answer)["outside_pool"]["value"] == pytest.approx(22.97, abs=0.01)
    wanted = solved_for_flag(start, MLX, {}, flag="mem_fraction_static", wanted=condition("outside_pool >= 14"))
    assert wanted["hi"] == pytest.approx(1 - 14 / 38.29, abs=1e-3)


def test_a_flag_whose_effect_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="attention_backend is not known; there are mem_fraction_static"):
        prediction(BOOTED, CUDA, {"attention_backend": "fa3"})
    with pytest.raises(UsageError, match="a number is needed"):
        prediction(BOOTED, CUDA, {"mem_fraction_static": "more"})
    with pytest.raises(UsageError, match="nonsense is not predicted"):
        solved_for_flag(BOOTED, CUDA, {}, flag="mem_fraction_static", wanted=condition("nonsense > 1"))


def test_tokens_need_the_bytes_of_a_token() -> None:
    unknown = {name: fact for name, fact in REFUSED.items() if name != "cell_size"}
    with pytest.raises(FactMissing, match="bytes of a token are not known"):
        solved_for_flag(unknown, CUDA, {}, flag="mem_fraction_static", wanted=condition("pool >= 1"))
    with pytest.raises(FactMissing, match="nothing follows"):
        prediction({}, CUDA, {})


def test_questions_are_read_as_people_write_them() -> None:
    assert changes(["--mem-fraction-static=0.8", "max_total_tokens=none", "kv_cache_dtype=fp8_e5m2"]) == {
        "mem_fraction_static": 0.8,
        "max_total_tokens": None,
        "kv_cache_dtype": "fp8_e5m2",
    }
    asked = condition("pool>=400k")
    assert (asked.name, asked.sense, asked.value) == ("max_total_num_tokens", "≥", 400_000)
    assert asked.certain(Interval(400_000, 500_000))
    assert not asked.certain(Interval(399_999, 500_000))
    assert number("400,000") == number("400_000") == 400_000
    assert sweep("fraction=0.5:0.9:0.1").values == (0.5, 0.6, 0.7, 0.8, 0.9)


@pytest.mark.parametrize("text", ["pool", "pool == 4", "400 > pool > 3", ""])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no condition"):
        condition(text)


@pytest.mark.parametrize("text", ["fraction=0.5", "fraction=0.9:0.5:0.1", "fraction=0:1:0.0001", "fraction=a:b:c"])
def test_what_is_no_sweep_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        sweep(text)
