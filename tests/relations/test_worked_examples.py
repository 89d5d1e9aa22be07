"""The worked examples: two stories and public ladders, each to the digits that a person computed by hand."""

from __future__ import annotations

import pytest

from logscope.finding import Solution
from logscope.fraction_window import fraction_window
from logscope.quantity import Interval, LineRef, Quantity
from logscope.relations import SIZING, Setting, relations_of
from logscope.relations.acceptance import era
from logscope.relations.throughput import counts_own_line
from logscope.sglang.fraction import reserve_mib
from logscope.sglang.inputs import Inputs
from logscope.sglang.releases import ReleaseRange, exactly
from logscope.solve import Reading, Solved, Witness, propagate

GIB = 2**30
KIMI_CELL = 70_272


def gib(**texts: str) -> dict[str, Quantity]:
    """Memory as it is printed."""
    return {
        name: Quantity.from_text(name, text, "GiB", line=LineRef("case.log", number))
        for number, (name, text) in enumerate(texts.items(), start=1)
    }


def fraction(value: float) -> dict[str, Quantity]:
    return {"mem_fraction_static": Quantity.exact("mem_fraction_static", value, "share")}


def tokens(**counts: float) -> dict[str, Quantity]:
    return {name: Quantity.exact(name, count, "tokens") for name, count in counts.items()}


def cell(value: float) -> dict[str, Quantity]:
    return {"cell_size": Quantity.exact("cell_size", value, "bytes/token")}


def sized(facts: dict[str, Quantity], setting: Setting | None = None, **more: list[Reading] | list[Witness]) -> Solved:
    relations = relations_of(setting or Setting(release=exactly("0.5.9", "the wording")), SIZING).relations
    return propagate(facts, relations, **more)  # type: ignore[arg-type]


def range_of(solution: Solution) -> Interval:
    return Interval(solution.quantities[0]["lo"], solution.quantities[0]["hi"])


# Story 2: a negative budget that booted

BOOTED = {**fraction(0.55), **gib(avail_before_load="94.00", avail_after_load="21.71", kv_pool="10.42")}
WEIGHTS = gib(weights="72.29")


def test_the_refused_start_computes_to_minus_25_30() -> None:
    refused = {**fraction(0.50), **gib(avail_before_load="94.00", avail_after_load="21.70")}
    rest = sized(refused).value("rest_memory").interval
    assert -25.30 in rest
    assert rest.width < 0.02
    tried = sized({**refused, **cell(KIMI_CELL)}).value("profiled_tokens").interval
    assert -386_579 in tried


def test_the_booted_start_shows_10_42_against_minus_20_59() -> None:
    (conflict,) = sized(BOOTED).conflicts
    assert conflict.observed.name == "kv_pool"
    assert conflict.observed.value == 10.42
    assert conflict.computed.interval.mid == pytest.approx(-20.59, abs=1e-9)
    assert conflict.computed.equation == "avail_after_load − avail_before_load · (1 − mem_fraction_static)"
    assert conflict.gap.value == pytest.approx(31.01)
    assert conflict.gap.rounding_explains == pytest.approx(0.01225, abs=1e-6)
    assert {fact.name for fact in conflict.facts} == set(BOOTED)
    assert [fact.line for fact in conflict.facts if fact.name == "kv_pool"] == [LineRef("case.log", 3)]


def test_one_input_at_a_time_reconciles_the_booted_start() -> None:
    (conflict,) = sized(BOOTED).conflicts
    found = {s.quantities[0]["name"]: range_of(s) for s in conflict.solutions}
    assert found["mem_fraction_static"].lo == pytest.approx(0.87978, abs=1e-5)
    assert found["mem_fraction_static"].hi == pytest.approx(0.88001, abs=1e-5)
    assert found["avail_before_load"].mid == pytest.approx(25.09, abs=0.005)
    assert found["avail_after_load"].mid == pytest.approx(52.72, abs=0.005)


def test_the_fraction_is_0_88_to_the_digits_of_a_reading_of_94_0() -> None:
    facts = {**fraction(0.50), **gib(avail_before_load="94.0", avail_after_load="21.70", kv_pool="10.42")}
    (conflict,) = sized(facts).conflicts
    found = range_of(conflict.possible[0])
    assert found.lo == pytest.approx(0.87983, abs=2e-5)
    assert found.hi == pytest.approx(0.88017, abs=2e-5)
    assert 0.88 in found
    before = next(range_of(s) for s in conflict.solutions if s.quantities[0]["name"] == "avail_before_load")
    after = next(range_of(s) for s in conflict.solutions if s.quantities[0]["name"] == "avail_after_load")
    # T is known to 0.05 here, and half of it enters A = K + T · (1 − f).
    assert 22.56 in before
    assert 57.42 in after


def test_only_the_fraction_survives_the_other_lines() -> None:
    (conflict,) = sized({**BOOTED, **WEIGHTS}).conflicts
    assert [s.quantities[0]["name"] for s in conflict.possible] == ["mem_fraction_static"]
    excluded = {s.quantities[0]["name"]: s.why for s in conflict.solutions if s.status == "excluded"}
    assert "weights 72.29 GiB (case.log:1)" in excluded["avail_before_load"]
    assert "weights 72.29 GiB" in excluded["avail_after_load"]
    assert "cannot be -20.59 GiB (0 or more)" in excluded["kv_pool"]


def test_without_a_weights_line_the_other_start_excludes_the_readings() -> None:
    said = "the refused start of the same host printed"
    witnesses = [
        Witness("avail_before_load", Interval(93.5, 94.5), f"{said} 94.00"),
        Witness("avail_after_load", Interval(21.4, 22.0), f"{said} 21.70"),
    ]
    (conflict,) = sized(BOOTED, witnesses=witnesses).conflicts
    assert [s.quantities[0]["name"] for s in conflict.possible] == ["mem_fraction_static"]


def test_the_hypotheses_of_the_report_are_excluded_by_number() -> None:
    def scaled(factor: float, *names: str) -> dict[str, Quantity]:
        return {name: BOOTED[name].scaled(factor, "GiB", f"· {factor:g}") for name in names}

    readings = [
        Reading("96 GB physical in place of what was free", gib(avail_before_load="96")),
        Reading("96 × 8: the memory of all cards", gib(avail_before_load="768")),
        Reading("decimal GB throughout", scaled(1e9 / GIB, "avail_before_load", "avail_after_load", "kv_pool")),
        Reading("the pool of all eight ranks", scaled(1 / 8, "kv_pool")),
        Reading("launched with 0.88", fraction(0.88)),
    ]
    (conflict,) = sized(BOOTED, readings=readings).conflicts
    assert [reading.status for reading in conflict.readings] == ["excluded"] * 4 + ["possible"]
    whys = [reading.why for reading in conflict.readings]
    assert "would be -21.7 … -21.2 GiB" in whys[0] or "would be -21." in whys[0]
    assert "would be -32" in whys[1]
    assert "would be -19.17" in whys[2]


def test_the_bytes_of_a_token_are_those_of_61_layers_of_mla() -> None:
    facts = {**gib(kv_pool="10.42"), **cell(KIMI_CELL), **tokens(page_size=1)}
    found = sized(facts).value("max_total_num_tokens").interval
    # 159,139 … 159,292 slots, one page more than the tokens.
    assert (found.lo, found.hi) == (pytest.approx(159_138, abs=2), pytest.approx(159_291, abs=2))
    printed = Quantity.from_text("max_total_num_tokens", "159K", "tokens").interval
    assert not found.disjoint(printed)
    size = 10.42 * GIB
    others = {"fp8": 35_136, "62 layers": 62 * 576 * 2, "fp4": 324 * 61, "sparse attention": 78_324}
    for name, value in others.items():
        alternative = sized({**facts, **cell(value)}).value("max_total_num_tokens").interval
        assert alternative.disjoint(printed), name
        assert size / value == pytest.approx(alternative.mid, rel=1e-3)
    decimal = {**facts, "kv_pool": Quantity.from_text("kv_pool", "10.42").scaled(1e9 / GIB, "GiB", "decimal GB")}
    assert sized(decimal).value("max_total_num_tokens").interval.mid == pytest.approx(148_281, abs=80)


def test_the_floor_is_0_769_and_its_next_step_boots_with_1_222_tokens() -> None:
    facts = gib(avail_before_load="94.00", avail_after_load="21.70")
    window = fraction_window(facts)
    assert window.floor.mid == pytest.approx(0.7691, abs=5e-5)
    assert fraction_window(gib(avail_before_load="94.00", avail_after_load="21.71")).floor.mid == pytest.approx(
        0.7690, abs=5e-5
    )
    exact = {name: Quantity.exact(name, fact.value, "GiB") for name, fact in facts.items()}
    booted = sized({**exact, **fraction(0.770), **cell(KIMI_CELL), **tokens(page_size=1)})
    assert booted.value("max_total_num_tokens").interval.distance(1_222) <= 1


def test_0_85_leaves_116_thousand_tokens_and_a_hundredth_is_14_363() -> None:
    facts = {**gib(avail_before_load="94.00", avail_after_load="21.70"), **cell(KIMI_CELL), **tokens(page_size=1)}
    at = {value: sized({**facts, **fraction(value)}).value("max_total_num_tokens").interval for value in (0.85, 0.86)}
    assert at[0.85].mid == pytest.approx(116_000, abs=200)
    assert at[0.86].mid - at[0.85].mid == pytest.approx(14_363, abs=2)


# Story 1: a pool that was nearly empty

STARTS = {
    1: ("27.81", "24.25", 227_022, 0.872),
    2: ("38.29", "33.39", 312_581, 0.872),
    3: ("48.49", "19.39", 181_574, 0.4),
}
MLX = Setting(release=exactly("0.5.22", "a dictionary of arguments"), device="mps", mlx=True)


def start(number: int, *, with_fraction: bool = True) -> dict[str, Quantity]:
    available, budget, count, used = STARTS[number]
    found = {
        **gib(sys_available=available, kv_budget=budget, mlx_used="1.20"),
        **tokens(max_total_num_tokens=count),
        "mlx_limit": Quantity.from_text("mlx_limit", "51.8", "GiB"),
    }
    return {**found, **fraction(used)} if with_fraction else found


@pytest.mark.parametrize("number", [1, 2])
def test_each_pair_of_the_story_gives_the_fraction(number: int) -> None:
    found = sized(start(number, with_fraction=False), MLX).value("mem_fraction_static").interval
    expected = {1: (0.87165, 0.87233), 2: (0.87178, 0.87227)}[number]
    assert (found.lo, found.hi) == (pytest.approx(expected[0], abs=1e-5), pytest.approx(expected[1], abs=1e-5))
    assert 0.872 in found


def test_one_cell_fits_all_three_starts() -> None:
    names = ("kv_budget", "max_total_num_tokens")
    alone = [{name: start(number)[name] for name in names} for number in STARTS]
    cells = [sized(facts, MLX).value("cell_size").interval for facts in alone]
    common = cells[0].meet(cells[1]).meet(cells[2])
    assert 114_688 in common
    assert (common.lo, common.hi) == (pytest.approx(114_680, abs=1), pytest.approx(114_693, abs=1))


def test_the_implied_free_memory_of_each_start_is_sharper_than_its_line() -> None:
    expected = {1: (27.80799, 27.80811), 2: (38.28813, 38.28826), 3: (48.48549, 48.48576)}
    for number, (lo, hi) in expected.items():
        found = sized({**start(number), **cell(114_688)}, MLX).value("sys_available").interval
        assert (found.lo, found.hi) == (pytest.approx(lo, abs=2e-5), pytest.approx(hi, abs=2e-5))


def test_the_third_start_bounds_the_weights_that_mlx_held() -> None:
    facts = {name: fact for name, fact in start(3).items() if name not in ("mlx_used", "mlx_limit")}
    facts["mlx_limit"] = Quantity.from_text("mlx_limit", "51.84", "GiB")
    assert sized({**facts, **cell(114_688)}, MLX).value("mlx_used").interval.hi == pytest.approx(1.35, abs=0.01)


def test_the_mb_line_is_in_mib() -> None:
    facts = {**tokens(max_total_num_tokens=181_574), **cell(114_688)}
    assert sized(facts, MLX).value("pool_mib").interval.mid == pytest.approx(19_859.77, abs=0.01)


def test_4_90_gib_are_left_outside_the_pool() -> None:
    outside = {number: sized(start(number), MLX).value("outside_pool").interval.mid for number in STARTS}
    assert outside == {
        1: pytest.approx(3.56, abs=0.01),
        2: pytest.approx(4.90, abs=0.01),
        3: pytest.approx(29.10, abs=0.01),
    }


def test_the_private_buffers_exceed_what_is_left_from_the_twelfth_request_on() -> None:
    def buffers(running: int) -> Interval:
        count = {"running_requests": Quantity.exact("running_requests", running, "requests")}
        return sized({**start(2), **cell(114_688), **count}, MLX).value("private_buffers").interval

    left = sized(start(2), MLX).value("outside_pool").interval
    assert buffers(1).lo * 1024 == pytest.approx(448)
    assert buffers(32).lo == pytest.approx(14.0)
    first = next(running for running in range(1, 33) if buffers(running).lo > left.hi)
    assert first == 12


def test_the_safe_fraction_of_the_story_ends_at_about_0_6() -> None:
    facts = {**start(2), "private_buffers": Quantity.exact("private_buffers", 14.0, "GiB")}
    window = fraction_window({**facts, "served_fraction": Quantity.exact("served_fraction", 0.4, "share")})
    assert window.ceiling.hi == pytest.approx(0.62, abs=0.005)
    assert "lo" not in window.range
    assert not window.empty


def test_the_share_in_use_is_the_printed_0_05() -> None:
    network = relations_of(MLX, ["token_usage"]).relations
    facts = tokens(used_tokens=16_095, max_total_num_tokens=312_581)
    usage = propagate(facts, network).value("token_usage_share").interval
    assert usage.mid == pytest.approx(0.0515, abs=1e-4)
    facts["token_usage_share"] = Quantity.from_text("token_usage_share", "0.05", "share")
    assert propagate(facts, network).consistent
    facts["token_usage_share"] = Quantity.from_text("token_usage_share", "0.50", "share")
    assert not propagate(facts, network).consistent


# Public material


def test_a_ladder_of_a_24_gb_card_is_consistent_and_gives_the_automatic_fraction() -> None:
    facts = {
        **gib(avail_before_load="22.39", avail_after_load="7.37", weights="15.02", avail_pool_end="1.46"),
        "kv_pool": Quantity("kv_pool", 4.66, Interval(4.65, 4.67), "GiB"),
        **tokens(max_total_num_tokens=38_141, page_size=1, context_length=131_072),
        "max_running_requests": Quantity.exact("max_running_requests", 2048, "requests"),
        **cell(131_072),
    }
    solved = sized(facts, Setting(release=exactly("0.4.9", "the text"), layers=32))
    assert solved.consistent
    assert solved.value("mem_fraction_static").interval.distance(0.879) < 5e-4
    assert solved.value("request_table").interval.mid == pytest.approx(1.00, abs=0.01)


def test_a_small_pool_whose_table_looks_like_a_gap_is_consistent() -> None:
    facts = {
        **gib(avail_before_load="3.23", avail_after_load="2.03", weights="1.20", avail_pool_end="0.00"),
        "kv_pool": Quantity("kv_pool", 1.64, Interval(1.63, 1.65), "GiB"),
        **tokens(max_total_num_tokens=15_387, page_size=1, context_length=40_960),
        "max_running_requests": Quantity.exact("max_running_requests", 2048, "requests"),
    }
    solved = sized(facts, Setting(release=exactly("0.4.6", "the text"), layers=28))
    assert solved.consistent
    assert 114_688 in solved.value("cell_size").interval
    assert 0.88 in solved.value("mem_fraction_static").interval


def test_a_hidden_factor_explains_a_profile_that_the_flag_does_not() -> None:
    profile = tokens(profiled_tokens=-561_981)
    facts = {**gib(avail_before_load="188.32", avail_after_load="21.73"), **profile, **cell(KIMI_CELL)}
    release = Setting(release=exactly("0.4.8", "the report"))
    assert sized(facts, release).value("mem_fraction_static").interval.mid == pytest.approx(0.689, abs=5e-4)
    for value, possible in {0.95: False, 0.8075: False, 0.812 * 0.85: True}.items():
        # Every rank prints its own memory; the smallest is known to 0.2 GiB only.
        around = Interval.printed(21.65, 1).widened(0.1)
        tried = {**facts, "avail_after_load": Quantity("avail_after_load", 21.65, around, "GiB"), **fraction(value)}
        assert sized(tried, release).consistent is possible, value


def test_a_quantised_vision_model_needs_more_than_its_automatic_fraction() -> None:
    assert fraction_window(gib(avail_before_load="22.46", avail_after_load="3.64")).floor.mid == pytest.approx(
        0.838, abs=5e-4
    )


def test_the_floor_in_the_text_of_a_refusal_gives_the_memory_before_the_load() -> None:
    floor = fraction_window(gib(avail_before_load="137.90", avail_after_load="12.25")).floor
    assert 0.9112 in floor.widened(1e-4)
    text = Quantity.from_text("least_fraction", "0.9113", "share").interval
    before = Quantity.from_text("avail_after_load", "12.25", "GiB").interval / (1 - text)
    assert before.mid == pytest.approx(138.1, abs=0.05)


def test_between_a_refusal_at_0_84_and_exhaustion_at_0_85_no_fraction_works() -> None:
    window = fraction_window(
        {
            "refused_fraction": Quantity.exact("refused_fraction", 0.84, "share"),
            "exhausted_fraction": Quantity.exact("exhausted_fraction", 0.85, "share"),
        }
    )
    assert window.empty
    assert window.range["why"].startswith("no fraction works")


def test_the_limit_of_a_reject_text_is_the_pool_less_six() -> None:
    assert 1735 + 6 == 1741
    starved = {**gib(avail_before_load="79.0", avail_after_load="46.9"), **fraction(0.83), **tokens(page_size=1)}
    solved = sized({**starved, **tokens(max_total_num_tokens=1741), **cell(131_072)})
    assert not solved.consistent


def test_two_refused_starts_give_the_memory_before_the_load_without_a_line() -> None:
    first, second = Quantity.from_text("r", "-3.05").interval, Quantity.from_text("r", "-12.59").interval
    slope = (first - second) / (Interval.exact(0.30) - 0.12)
    assert slope.mid == pytest.approx(53.0, abs=0.05)
    facts = {**fraction(0.30), "avail_before_load": Quantity("avail_before_load", slope.mid, slope, "GiB")}
    rests = {}
    for value in (0.30, 0.12):
        after = Quantity("avail_after_load", 34.05, (first + slope * 0.7), "GiB")
        rests[value] = sized({**facts, **fraction(value), "avail_after_load": after}).value("rest_memory").interval
    assert -3.05 in rests[0.30]
    assert -12.59 in rests[0.12]


def test_half_of_a_cache_is_not_the_whole() -> None:
    def per_token(size: str, count: int, *, printed: int = 1) -> Interval:
        pool = Quantity.from_text("kv_pool", size, "GiB")
        pool = Quantity("kv_pool", pool.value, pool.interval.widened(0.005 * (printed - 1)), "GiB")
        return sized({"kv_pool": pool, **tokens(max_total_num_tokens=count, page_size=1)}).value("cell_size").interval

    # Keys and values are printed apart, each to two decimals.
    assert 2 * 94 * 128 * 2 in per_token("16.46", 367_404, printed=2)
    assert not per_token("16.46", 367_404, printed=2).disjoint(Interval(48_076, 48_134))
    assert per_token("16.46", 367_404).mid == pytest.approx(48_105, abs=1)
    assert per_token("8.11", 178_880).mid == pytest.approx(48_681, abs=1)
    assert per_token("8.23", 367_404).mid == pytest.approx(48_105 / 2, abs=1)


def test_a_context_of_ten_million_tokens_has_a_table_of_80_gib() -> None:
    facts = {
        **tokens(context_length=10_485_760),
        "max_running_requests": Quantity.exact("max_running_requests", 2048, "requests"),
    }
    table = sized(facts).value("request_table").interval
    assert table.mid == pytest.approx(80.04, abs=0.005)


def test_a_negative_profile_of_a_draft_worker_is_told_by_its_release_only() -> None:
    network = relations_of(Setting(release=exactly("0.5.10", "the text"), capped=True), ["pool_tokens"]).relations
    facts = {**tokens(profiled_tokens=-89_624, max_total_tokens=20_480, max_total_num_tokens=20_480, page_size=1)}
    assert not propagate(facts, network).consistent
    without = {name: fact for name, fact in facts.items() if name != "profiled_tokens"}
    assert propagate(without, network).consistent


def test_a_fixed_workspace_is_compared_in_bytes() -> None:
    asked, buffer = Interval.exact(435_814_400), Interval.exact(402_653_184)
    assert (asked / 2.0**20).mid == pytest.approx(415.6, abs=0.05)
    assert (buffer / 2.0**20).mid == 384
    assert asked.above(buffer)


# Run time


def test_the_accept_rate_reads_differently_in_three_eras() -> None:
    def rate(release: str) -> float:
        network = relations_of(Setting(release=exactly(release, "a test"), speculative=True), ["acceptance"]).relations
        facts = {
            "accept_length_tokens": Quantity.exact("accept_length_tokens", 2.6, "tokens/step"),
            "speculative_num_draft_tokens": Quantity.exact("speculative_num_draft_tokens", 4, "tokens/step"),
            "speculative_num_steps": Quantity.exact("speculative_num_steps", 3, "tokens/step"),
        }
        return propagate(facts, network).value("accept_rate_share").interval.mid

    assert [era(release) for release in ("0.5.3", "0.5.4", "0.5.9", "0.5.23")] == ["none", "steps", "draft", "net"]
    assert rate("0.5.5") == pytest.approx(0.65)
    assert rate("0.5.9") == pytest.approx(0.65)
    assert rate("0.5.23") == pytest.approx(0.533, abs=1e-3)


def test_an_unknown_release_leaves_the_accept_rate_unchecked() -> None:
    applied = relations_of(
        Setting(release=ReleaseRange("0.5.9", "0.5.12", "a range"), speculative=True), ["acceptance"]
    )
    assert applied.relations == ()
    assert "depends on it" in applied.without["acceptance"]


def test_the_ratio_of_new_tokens_is_a_clock_of_steps() -> None:
    network = relations_of(Setting(release=exactly("0.5.9", "a test")), ["retraction_ratio"]).relations
    facts = {
        "new_token_ratio_after": Quantity.from_text("new_token_ratio_after", "0.8731", "share"),
        "new_token_ratio_before": Quantity.from_text("new_token_ratio_before", "0.6725", "share"),
        "schedule_conservativeness": Quantity.exact("schedule_conservativeness", 1.0, "share"),
    }
    steps = propagate(facts, network).value("decode_steps").interval
    assert 200 in steps
    assert steps.width < 1


def test_throughput_times_seconds_is_tokens() -> None:
    network = relations_of(Setting(release=exactly("0.5.9", "a test")), ["throughput"]).relations
    facts = {
        "throughput_tok_s": Quantity.from_text("throughput_tok_s", "640.00", "tokens/s"),
        "seconds": Quantity("seconds", 2, Interval(1, 3), "s"),
        "interval_steps": Quantity.exact("interval_steps", 40, "steps"),
        "running_requests": Quantity.exact("running_requests", 32, "requests"),
    }
    solved = propagate(facts, network)
    assert solved.value("seconds").interval.mid == pytest.approx(2.0, abs=1e-3)
    assert counts_own_line("0.5.11")
    assert not counts_own_line("0.5.9")


def test_a_leak_is_what_the_balance_leaves() -> None:
    network = relations_of(Setting(), ["pool_balance"]).relations
    names = ("evictable_tokens", "protected_tokens", "session_held_tokens", "uncached_tokens")
    facts = tokens(max_total_num_tokens=1000, available_tokens=600, **dict.fromkeys(names, 0))
    facts |= tokens(evictable_tokens=380)
    assert propagate(facts, network).value("leaked_tokens").interval == Interval(20, 20)


def test_a_host_pool_counts_in_decimal_gigabytes() -> None:
    network = relations_of(Setting(), ["host_pool"]).relations
    facts = {
        **tokens(max_total_num_tokens=159_215),
        **cell(KIMI_CELL),
        "hicache_ratio": Quantity.exact("hicache_ratio", 2, "share"),
    }
    assert propagate(facts, network).value("host_pool").interval.mid == pytest.approx(22.38, abs=0.01)


# The automatic fraction


def test_0_872_is_the_fraction_of_a_64_gb_laptop() -> None:
    (relation,) = relations_of(
        Setting(release=exactly("0.5.22", "a test"), automatic=True), ["automatic_fraction"]
    ).relations
    reserve = {"fraction_reserve": Quantity.exact("fraction_reserve", 512 + 1.5 * 4096 + 128, "MiB")}
    capacity = {"device_capacity": Quantity.exact("device_capacity", 53_084, "MiB")}
    assert 0.872 in propagate({**reserve, **capacity}, [relation]).value("mem_fraction_static").interval
    found = propagate({**reserve, **fraction(0.872)}, [relation]).value("device_capacity").interval
    assert (found.lo, found.hi) == (pytest.approx(52_794, abs=1), pytest.approx(53_208, abs=1))


def test_an_automatic_fraction_of_another_card_is_a_contradiction() -> None:
    relations = relations_of(
        Setting(release=exactly("0.5.10", "a test"), automatic=True), ["automatic_fraction"]
    ).relations
    inputs = Inputs(capacity_mib=81_559, tp_size=1)
    reserve = {"fraction_reserve": Quantity.exact("fraction_reserve", reserve_mib("0.5.10", inputs), "MiB")}
    card = {"device_capacity": Quantity.exact("device_capacity", 81_559, "MiB")}
    assert propagate({**reserve, **card, **fraction(0.830)}, relations).consistent
    (conflict,) = propagate({**reserve, **card, **fraction(0.903)}, relations).conflicts
    assert conflict.observed.name == "mem_fraction_static"


def test_a_given_fraction_and_a_table_of_ranks_are_exempt() -> None:
    given = relations_of(Setting(release=exactly("0.5.10", "a test")), ["automatic_fraction"])
    assert "was given" in given.without["automatic_fraction"]
    old = relations_of(Setting(release=exactly("0.4.6", "a test"), automatic=True), ["automatic_fraction"])
    assert "table" in old.without["automatic_fraction"]
