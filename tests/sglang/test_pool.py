from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.errors import FactMissing, NotApplicable, UsageError
from logscope.quantity import Interval
from logscope.sglang import cells, mlx, models, pool, requests, state
from logscope.sglang.cells import Cache

# Bytes a token of public models, bf16 and one rank, as published logs and the sizing notes give them.
KNOWN = {
    "Qwen2.5-0.5B": 12_288,
    "Qwen2.5-7B-Instruct": 57_344,
    "Qwen/Qwen3-0.6B": 114_688,
    "meta-llama/Llama-3.1-8B-Instruct": 131_072,
    "Qwen3-14B-FP8": 163_840,
    "/models/Qwen2.5-14B-Instruct-AWQ": 196_608,
    "Qwen3-32B": 262_144,
    "meta-llama/Meta-Llama-3-70B-Instruct": 327_680,
    "Qwen3-30B-A3B-Thinking-2507": 98_304,
    "Qwen3-235B-A22B": 192_512,
    "deepseek-ai/DeepSeek-V3-0324": 70_272,
    "moonshotai/Kimi-K2.5": 70_272,
    "deepseek-ai/DeepSeek-V2-Lite-Chat": 31_104,
    "deepseek-ai/DeepSeek-V3.2-Exp": 78_324,
}


@pytest.mark.parametrize("model", KNOWN)
def test_bytes_a_token_are_those_that_logs_show(model: str) -> None:
    assert cells.cell_bytes("0.5.9", models.named(model), Cache()) == KNOWN[model]


def test_a_longer_name_is_not_its_shorter_cousin() -> None:
    assert models.named("DeepSeek-R1-Distill-Qwen-32B").name == "Qwen2.5-32B"
    assert models.named("DeepSeek-V3.2").index_head_dim == 128
    assert models.named("GLM-4.5-Air-FP8").layers == 46
    assert models.named("hub/models--Qwen--Qwen3-8B/snapshots/0123abcd/").layers == 36
    for name in ("/models/tiny-llama", "our-model-7b", ""):
        with pytest.raises(FactMissing, match="public models"):
            models.named(name)


def test_every_listed_shape_is_whole_and_named_once() -> None:
    names = [name for shape in models.shapes() for name in (shape.name, *shape.aliases)]
    assert len(names) == len(set(names))
    for shape in models.shapes():
        assert shape.full_layers > 0
        assert models.named(shape.name) is shape


def test_heads_are_shared_among_ranks_but_a_latent_is_not() -> None:
    llama, latent = models.named("Llama-3.1-70B"), models.named("DeepSeek-V3")
    assert cells.cell_bytes("0.5.9", llama, Cache(attention_tp=8)) == 40_960
    assert cells.cell_bytes("0.5.9", llama, Cache(attention_tp=16)) == 40_960, "at least one head a rank"
    assert cells.cell_bytes("0.5.9", latent, Cache(attention_tp=8)) == 70_272


def test_narrower_dtypes_and_their_scales_are_counted() -> None:
    latent, sparse = models.named("DeepSeek-V3"), models.named("DeepSeek-V3.2")
    assert cells.cell_bytes("0.5.9", latent, Cache(dtype="fp8_e4m3")) == 35_136
    assert cells.cell_bytes("0.5.9", latent, Cache(dtype="fp4_e2m1")) == 324 * 61
    assert cells.cell_bytes("0.5.9", sparse, Cache(dtype="fp8_e4m3")) == 43_188
    assert cells.stored_bytes("0.5.9", sparse, Cache(dtype="fp8_e4m3")) == 48_068
    assert cells.cell_bytes("0.5.17", sparse, Cache(dtype="fp8_e4m3")) == 48_068
    with pytest.raises(NotApplicable, match="4-bit"):
        cells.cell_bytes("0.5.3", latent, Cache(dtype="fp4_e2m1"))
    with pytest.raises(UsageError, match="int3"):
        cells.cell_bytes("0.5.9", latent, Cache(dtype="int3"))


def test_a_draft_counts_from_the_release_that_budgets_it() -> None:
    shape = models.named("DeepSeek-V3")
    assert cells.cell_bytes("0.5.13", shape, Cache(draft_layers=1)) == 70_272
    assert cells.cell_bytes("0.5.14", shape, Cache(draft_layers=1)) == 71_424


def test_windows_share_the_memory_by_the_rule_of_their_time() -> None:
    shape = models.named("gpt-oss-20b")
    full, window = cells.window_layer_bytes(shape, Cache())
    assert cells.cell_bytes("0.5.11", shape, Cache()) == pytest.approx(full * 12 + 0.8 * window * 12)
    assert cells.window_split("0.5.6", shape, Cache(), tokens=90_000) == (100_000, 80_000)
    assert cells.window_split("0.5.11", shape, Cache(), tokens=100_010, page_size=64) == (99_968, 79_936)
    with pytest.raises(NotApplicable, match="one pool"):
        cells.window_split("0.4.6", shape, Cache(), tokens=1)


def test_the_printed_pool_tells_its_model() -> None:
    fits = models.fitting(Interval(10.415 * 2**30 / 159_500, 10.425 * 2**30 / 158_500))
    assert "DeepSeek-V3" in {fit.shape.name for fit in fits}
    assert "DeepSeek-V3" not in {fit.shape.name for fit in models.fitting(Interval(35_000, 35_010))}
    one = models.fitting(Interval(49_150, 49_153), tp_size=4)
    assert one
    assert all(fit.attention_tp == 4 for fit in one)
    assert models.fitting(Interval(7, 11)) == []


def test_the_budget_that_cannot_be_is_negative() -> None:
    assert pool.rest_gib(94.0, 21.71, 0.55) == pytest.approx(-20.59)
    assert pool.implied_fraction(94.0, 21.70, 10.42) == pytest.approx(0.88)
    assert pool.smallest_fraction(94.0, 21.70) == pytest.approx(0.76915, abs=1e-5)
    spread = pool.implied_fraction(Interval(93.995, 94.005), Interval(21.695, 21.705), Interval(10.415, 10.425))
    assert 0.88 in spread
    assert spread.width < 3e-4


@given(st.floats(1, 500), st.floats(0.01, 0.99), st.floats(0.001, 0.999))
def test_the_inverse_formulas_give_back_what_went_in(before: float, share: float, fraction: float) -> None:
    after = before * share
    rest = pool.rest_gib(before, after, fraction)
    assert pool.implied_fraction(before, after, rest) == pytest.approx(fraction, abs=1e-9)
    assert pool.implied_before(after, rest, fraction) == pytest.approx(before, rel=1e-9)
    assert pool.implied_after(before, rest, fraction) == pytest.approx(after, rel=1e-9)


def test_a_start_is_refused_in_the_words_of_its_release() -> None:
    budget = {"rest": -20.59, "tokens": -314_611, "fraction": 0.55, "before": 94.0, "after": 21.71}
    spelled = pool.refusal("0.1.15", **budget)  # type: ignore[arg-type]
    assert spelled is not None
    assert "enought" in spelled.message
    valued = pool.refusal("0.5.9", **budget)  # type: ignore[arg-type]
    assert valued is not None
    assert valued.message.endswith("Current value: 0.55")
    named = pool.refusal("0.5.14", **budget)  # type: ignore[arg-type]
    assert named is not None
    assert named.smallest_fraction == 0.77
    assert pool.refusal("0.5.14", rest=1.0, tokens=5, fraction=0.9, before=9.0, after=8.0) is None
    left = pool.refusal("0.5.14", rest=1e-6, tokens=0, fraction=0.9, before=9.0, after=8.0)
    assert left is not None
    assert "Not enough memory" in left.message


def test_the_pool_follows_the_steps_of_its_release() -> None:
    assert pool.profiled_tokens("0.5.9", 10.42, 70_272) == 159_215
    assert pool.profiled_tokens("0.5.6", -1e-9, 70_272) == -1
    assert pool.profiled_tokens("0.5.7", -1e-9, 70_272) == -1
    assert pool.pool_tokens("0.5.9", 1000, max_total_tokens=700, page_size=64) == 640
    assert pool.pool_tokens("0.4.3", 1000, page_size=64) == 1000, "pages came with 0.4.4"
    assert pool.pool_tokens("0.2.7", 1000, max_total_tokens=700) == 1000, "the cap came with 0.2.8"
    assert pool.pool_tokens("0.5.6", -50, small_kv_tokens=4096) == 4096
    assert pool.pool_tokens("0.5.7", -50, small_kv_tokens=4096) == -50
    tree = pool.Speculation(algorithm="EAGLE", slots=48, steps=3, top_k=4, draft_tokens=16)
    assert pool.pool_tokens("0.5.6", 1000, speculation=tree) == 1000 + 48 * 28 + 100
    assert pool.pool_tokens("0.5.7", 1000, speculation=tree) == 1000


def test_running_requests_and_their_table_follow_the_release() -> None:
    assert requests.max_running("0.4.6", 15_387, 40_960) == 2049
    assert requests.max_running("0.4.9", 38_141, 131_072) == 2048
    assert requests.max_running("0.5.9", 200_000, 4096, max_running_requests=64, dp_size=8) == 8
    assert requests.max_running("0.5.14", 60, 4096, max_running_requests=64) == 30
    assert requests.request_table_bytes("0.4.3", 2048, 10_485_760) / 2**30 == pytest.approx(80.04, abs=0.005)
    assert requests.request_table_bytes("0.5.9", 2048, 262_144, draft_tokens=4) == 2048 * 262_152 * 4
    assert requests.longest_input("0.5.9", 1741, 40_960) == 1735
    with pytest.raises(NotApplicable):
        requests.longest_input("0.2.0", 1741, 40_960)


@pytest.mark.parametrize(
    ("available", "fraction", "slots"),
    [(27.808_03, 0.872, 227_022), (38.288_19, 0.872, 312_581), (48.485_60, 0.4, 181_574)],
)
def test_the_metal_pool_is_a_share_of_what_is_free_at_that_moment(
    available: float, fraction: float, slots: int
) -> None:
    shape = models.named("Qwen3-0.6B")
    slot = mlx.slot_bytes("0.5.22", shape)
    memory = mlx.Memory(available=int(available * 2**30), limit=55_662_786_970, used=int(1.11 * 2**30))
    assert slot == 114_688
    assert mlx.pool_slots("0.5.22", memory, fraction, slot=slot) == slots


def test_the_metal_pool_has_a_floor_a_cap_and_no_refusal() -> None:
    memory = mlx.Memory(available=2**30, limit=2**30, used=2**31)
    assert mlx.pool_slots("0.5.22", memory, 0.9, slot=114_688) == 256
    assert mlx.pool_slots("0.5.22", memory, 0.9, slot=114_688, max_total_tokens=9) == 9
    assert mlx.private_bytes(32, 114_688) == 14 * 2**30
    with pytest.raises(NotApplicable):
        mlx.slot_bytes("0.5.10", models.named("Qwen3-0.6B"))
    args = (Interval(38.285, 38.295), Interval(51.75, 51.85), Interval(1.105, 1.115), Interval(0.872, 0.872))
    assert mlx.binds(*args) == "available"
    assert 33.39 in mlx.budget_gib(*args)
    assert math.isclose(mlx.budget_gib(*args).mid, 33.39, abs_tol=0.01)


def test_hybrid_models_divide_the_rest_between_states_and_cache() -> None:
    shape = models.named("Qwen3-Next-80B-A3B-Instruct")
    size = state.State(bytes_per_request=shape.state_bytes)
    division = state.divide("0.5.9", 40.0, size)
    assert division.rest_gib == pytest.approx(40 / 1.9, rel=0.01)
    assert division.slots == int(40 * 0.9 / 1.9 * 2**30 // shape.state_bytes)
    assert state.running_limit("0.5.9", division, size) == division.slots // 3
    assert state.running_limit("0.5.7", division, size) == division.slots // 5
    fixed = state.State(bytes_per_request=shape.state_bytes, slots=64)
    assert state.divide("0.5.9", 40.0, fixed).slots == 64
    with pytest.raises(NotApplicable):
        state.divide("0.5.1", 40.0, size)


def test_states_that_leave_nothing_are_refused_from_the_release_that_checks_it() -> None:
    size = state.State(bytes_per_request=10 * 2**30)
    division = state.divide("0.5.13", 5.0, size)
    assert division.slots == 0
    assert str(state.refusal("0.5.13", division, size)).startswith("Not enough GPU memory for hybrid")
    assert state.refusal("0.5.12", state.divide("0.5.12", 5.0, size), size) is None


def test_speculation_sets_the_running_requests_that_nobody_gave() -> None:
    assert requests.default_running("0.4.4", "EAGLE") == 32
    assert requests.default_running("0.5.9", "NGRAM") == 48
    assert requests.default_running("0.5.9", None) is None
    assert requests.default_running("0.4.2", "EAGLE") is None


def test_a_window_pool_that_holds_no_request_is_refused_from_its_release_on() -> None:
    small = {"window_pool_tokens": 128, "window_tokens": 127, "page_size": 1}
    assert pool.window_refusal("0.5.16", **small) == "SWA pool (128 tokens) cannot hold even one request"
    assert pool.window_refusal("0.5.15", **small) is None
    assert pool.window_refusal("0.5.16", window_pool_tokens=129, window_tokens=127) is None
