"""Solving: consistent facts never conflict, planted contradictions are found, solutions repair, intervals hold the truth."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from logscope.errors import FactMissing, UsageError
from logscope.expression import Const, Var, floor, maximum, minimum, rounded
from logscope.quantity import Interval, LineRef, Quantity
from logscope.relation import Relation
from logscope.relations import SIZING, Setting, relations_of
from logscope.sglang.releases import exactly
from logscope.solve import Reading, Witness, propagate, relations_for

GIB = 2**30
SETTING = Setting(release=exactly("0.5.9", "a test"), layers=61)
RELATIONS = relations_of(replace(SETTING, page_gib=64 * 327_680 / GIB), SIZING).relations
EXACT = relations_of(SETTING, SIZING).relations
UNITS = {
    "mem_fraction_static": "share",
    "max_total_num_tokens": "tokens",
    "page_size": "tokens",
    "context_length": "tokens",
    "max_running_requests": "requests",
    "cell_size": "bytes/token",
}
quick = settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.filter_too_much])


@dataclass(frozen=True)
class World:
    """One start as it truly was."""

    truth: Mapping[str, float]

    def printed(self) -> dict[str, Quantity]:
        """What its log tells: memory to two decimals, counts in full; the budget and the table by no line."""
        hidden = {"rest_memory", "request_table", "profiled_tokens"}
        found = {}
        for number, (name, value) in enumerate(self.truth.items(), start=1):
            unit, line = UNITS.get(name, "GiB"), LineRef("start.log", number)
            if name in hidden:
                continue
            if unit == "GiB":
                found[name] = Quantity.from_text(name, f"{value:.2f}", unit, line=line)
            else:
                found[name] = Quantity.exact(name, value, unit, line=line)
        return found


@st.composite
def worlds(draw: st.DrawFn) -> World:
    before = draw(st.floats(min_value=8, max_value=280))
    weights = before * draw(st.floats(min_value=0.01, max_value=0.9))
    fraction = round(draw(st.floats(min_value=0.1, max_value=0.95)), 3)
    after = before - weights
    rest = after - before * (1 - fraction)
    cell = draw(st.sampled_from([12_288, 70_272, 114_688, 131_072, 327_680]))
    page = draw(st.sampled_from([1, 16, 64]))
    profiled = int(rest * GIB // cell)
    tokens = profiled // page * page
    assume(rest > 0.05 and tokens > 0)
    pool = (tokens + page) * cell / GIB
    running, context = draw(st.integers(1, 4096)), draw(st.sampled_from([4096, 32_768, 131_072]))
    table = (running + 1) * (context + 4) * 4 / GIB
    end = after - pool - table - draw(st.floats(min_value=0, max_value=0.1))
    assume(end > 0)
    return World(
        {
            "mem_fraction_static": fraction,
            "avail_before_load": before,
            "avail_after_load": after,
            "kv_pool": pool,
            "weights": weights,
            "rest_memory": rest,
            "profiled_tokens": profiled,
            "max_total_num_tokens": tokens,
            "page_size": page,
            "cell_size": cell,
            "max_running_requests": running,
            "context_length": context,
            "request_table": table,
            "avail_pool_end": end,
        }
    )


@quick
@given(worlds(), st.sets(st.sampled_from([*sorted(UNITS), "weights", "kv_pool", "avail_pool_end"]), max_size=6))
def test_what_one_start_printed_never_conflicts_and_holds_the_truth(world: World, unprinted: set[str]) -> None:
    facts = {name: fact for name, fact in world.printed().items() if name not in unprinted}
    solved = propagate(facts, RELATIONS)
    assert solved.consistent, solved.conflicts
    for name, value in world.truth.items():
        if name in solved.values:
            interval = solved.value(name).interval
            # The sensor tolerances decide about conflicts; what is narrowed through them may miss by as much.
            assert interval.widened(0.01 + 1e-9 * abs(value)).distance(value) == 0, (name, value, interval)


@quick
@given(
    worlds(),
    st.sampled_from(["avail_before_load", "avail_after_load", "kv_pool", "mem_fraction_static", "weights"]),
    st.floats(min_value=2, max_value=60),
    st.booleans(),
)
def test_a_planted_contradiction_is_found_and_its_solution_repairs(
    world: World, name: str, by: float, more: bool
) -> None:
    facts = {fact: value for fact, value in world.printed().items() if fact != "avail_pool_end"}
    fact = facts[name]
    change = by / world.truth["avail_before_load"] if name == "mem_fraction_static" else by
    wrong = fact.value + (change if more else -change)
    decimals = 3 if name == "mem_fraction_static" else 2
    planted = replace(fact, value=wrong, interval=Interval.printed(wrong, decimals))
    solved = propagate({**facts, name: planted}, RELATIONS)
    assert not solved.consistent
    assert name in solved.dropped
    (solution,) = [s for s in solved.conflicts[0].possible if s.quantities[0]["name"] == name]
    found = Interval(solution.quantities[0]["lo"], solution.quantities[0]["hi"])
    assert found.widened(1e-6 * (1 + abs(found.mid))).distance(fact.interval) == 0
    repaired = replace(fact, value=found.mid, interval=found)
    assert propagate({**facts, name: repaired}, RELATIONS).consistent


@quick
@given(worlds(), worlds())
def test_propagation_gives_the_same_answer_twice(world: World, other: World) -> None:
    mixed = {**world.printed(), "kv_pool": other.printed()["kv_pool"]}
    assert repr(propagate(mixed, RELATIONS)) == repr(propagate(mixed, RELATIONS))


@quick
@given(worlds())
def test_a_conflict_set_is_minimal(world: World) -> None:
    facts = world.printed()
    del facts["avail_pool_end"]
    fraction = facts["mem_fraction_static"]
    facts["mem_fraction_static"] = replace(fraction, value=0.02, interval=Interval.exact(0.02))
    assume(world.truth["mem_fraction_static"] > 0.15)
    (first, *_) = propagate(facts, RELATIONS).conflicts
    members = {fact.name: fact for fact in first.facts}
    for name in members:
        rest = {other: fact for other, fact in members.items() if other != name}
        assert propagate(rest, RELATIONS).consistent


def test_sixteen_ranks_are_solved_in_a_fifth_of_a_second() -> None:
    ranks = [f"TP{number}" for number in range(16)]
    shared = {"mem_fraction_static", "cell_size", "page_size"}
    network = relations_for(EXACT, ranks, shared=shared)
    facts: dict[str, Quantity] = {}
    for rank in ranks:
        texts = {"avail_before_load": "94.00", "avail_after_load": "21.71", "kv_pool": "10.42", "weights": "72.29"}
        for name, text in texts.items():
            facts[f"{name}@{rank}"] = Quantity.from_text(name, text, "GiB", rank=rank)
    facts["mem_fraction_static"] = Quantity.exact("mem_fraction_static", 0.55, "share")
    started = time.process_time()
    solved = propagate(facts, network)
    assert time.process_time() - started < 0.2
    assert solved.dropped == ("mem_fraction_static",)


def test_every_operation_narrows_backward() -> None:
    x, y, z = Var("x"), Var("y"), Var("z")
    exact = Quantity.exact
    cases = [
        (Relation("sum", z, x + y), {"z": 5, "y": 3}, "x", 2, 2),
        (Relation("difference", z, x - y), {"z": 5, "x": 8}, "y", 3, 3),
        (Relation("product", z, x * y), {"z": 12, "y": 4}, "x", 3, 3),
        (Relation("quotient", z, x / y), {"z": 3, "x": 12}, "y", 4, 4),
        (Relation("least", z, minimum(x, y)), {"z": 2, "y": 9}, "x", 2, 2),
        (Relation("most", z, maximum(x, y)), {"z": 9, "y": 2}, "x", 9, 9),
        (Relation("whole", z, floor(x)), {"z": 4}, "x", 4, 5),
        (Relation("rounded", z, rounded(x, 3)), {"z": 0.872}, "x", 0.8715, 0.8725),
    ]
    for relation, given_values, name, lo, hi in cases:
        facts = {key: exact(key, value) for key, value in given_values.items()}
        interval = propagate(facts, [relation]).value(name).interval
        assert interval.lo == pytest.approx(lo, abs=1e-9), relation.name
        assert interval.hi == pytest.approx(hi, abs=1e-9), relation.name


def test_an_inequality_narrows_one_side_only() -> None:
    solved = propagate({"y": Quantity.exact("y", 3)}, [Relation("within", Var("x"), Var("y"), "≤")])
    assert solved.value("x").interval.hi == 3
    assert solved.value("x").interval.lo == float("-inf")


def test_a_variable_that_a_formula_names_twice_is_found_by_bisection() -> None:
    x = Var("x")
    square = Relation("square", Var("z"), x * x - x)
    other = Relation("same", Var("w"), x)
    facts = {"z": Quantity.from_text("z", "6.00"), "x": Quantity.from_text("x", "7.0"), "w": Quantity.exact("w", 7)}
    found = propagate(facts, [square, other]).conflicts[0].solutions
    assert {s.quantities[0]["name"] for s in found} == {"z", "x"} or len(found) == 2
    bounded = [square, Relation("positive", x, Const(0), "≥"), Relation("small", x, Const(100), "≤")]
    solution = propagate({"z": Quantity.from_text("z", "6.00")}, bounded).value("x")
    assert 3.0 in solution.interval


def test_units_are_never_mixed_in_silence() -> None:
    with pytest.raises(UsageError, match="mixes units"):
        _ = Var("a", "GiB") + Var("b", "GB")
    with pytest.raises(UsageError, match="left side is in GiB"):
        Relation("wrong", Var("a", "GiB"), Var("b", "bytes"))
    pool = {"kv_pool": Quantity.from_text("kv_pool", "10670", "MiB")}
    with pytest.raises(UsageError, match="kv_pool is given in MiB"):
        propagate(pool, EXACT)


def test_what_nothing_bounds_is_missing_and_not_zero() -> None:
    with pytest.raises(FactMissing, match="rest_memory"):
        propagate({}, EXACT).value("rest_memory")


def conflicting() -> dict[str, Quantity]:
    gib = {"avail_before_load": "94.00", "avail_after_load": "21.71", "kv_pool": "10.42"}
    facts = {
        name: Quantity.from_text(name, text, "GiB", line=LineRef("a.log", number))
        for number, (name, text) in enumerate(gib.items(), start=1)
    }
    return {"mem_fraction_static": Quantity.exact("mem_fraction_static", 0.55, "share"), **facts}


def test_a_witness_excludes_a_solution_and_makes_no_conflict() -> None:
    witness = Witness(
        "avail_before_load", Interval(93, 95), "launch 0 of the same host printed 94.00", LineRef("a.log", 3)
    )
    (conflict,) = propagate(conflicting(), EXACT, witnesses=[witness]).conflicts
    excluded = {s.quantities[0]["name"]: s.why for s in conflict.solutions if s.status == "excluded"}
    assert excluded["avail_before_load"] == "launch 0 of the same host printed 94.00 (a.log:3)"
    consistent = {name: fact for name, fact in conflicting().items() if name != "kv_pool"}
    assert propagate(consistent, EXACT, witnesses=[witness]).consistent


def test_solutions_come_in_the_order_of_their_departure() -> None:
    (conflict,) = propagate(conflicting(), EXACT).conflicts
    assert [s.quantities[0]["name"] for s in conflict.solutions] == [
        "mem_fraction_static",
        "avail_before_load",
        "avail_after_load",
        "kv_pool",
    ]
    assert conflict.solutions[-1].status == "excluded"
    assert "cannot be -20.59 GiB" in conflict.solutions[-1].why


def test_a_pair_is_offered_when_no_single_fact_reconciles() -> None:
    a, b, c, d = (Var(name) for name in "abcd")
    network = [Relation("first", a, b), Relation("second", c, d)]
    facts = {name: Quantity.exact(name, value) for name, value in {"a": 1, "b": 2, "c": 3, "d": 4}.items()}
    first = propagate(facts, network).conflicts[0]
    pairs = [s for s in first.possible if len(s.quantities) == 2]
    assert pairs
    names = {quantity["name"] for quantity in pairs[0].quantities}
    assert len(names & {"a", "b"}) == 1
    assert len(names & {"c", "d"}) == 1


def test_a_reading_that_reconciles_is_possible_and_others_are_excluded_by_number() -> None:
    facts = conflicting()
    total = Quantity.from_text("avail_before_load", "96", "GiB")
    right = Quantity.exact("mem_fraction_static", 0.88, "share")
    tried = [Reading("the card's 96", {"avail_before_load": total}), Reading("0.88", {"mem_fraction_static": right})]
    (conflict,) = propagate(facts, EXACT, readings=tried).conflicts
    assert [reading.status for reading in conflict.readings] == ["excluded", "possible"]
    assert "would be -21.7" in conflict.readings[0].why
