"""Other readings of the numbers: tried by number, and excluded or possible by what they give."""

from __future__ import annotations

from logscope.conflict import Conflict
from logscope.quantity import LineRef, Quantity
from logscope.readings import readings, witnesses
from logscope.relations import SIZING, Setting, relations_of
from logscope.sglang.releases import ReleaseRange, exactly
from logscope.solve import propagate

SETTING = Setting(release=exactly("0.5.9", "a test"))


def start(fraction: float, **texts: str) -> dict[str, Quantity]:
    memory = {
        name: Quantity.from_text(name, text, "GiB", line=LineRef("a.log", number))
        for number, (name, text) in enumerate(texts.items(), start=1)
    }
    return {**memory, "mem_fraction_static": Quantity.exact("mem_fraction_static", fraction, "share")}


def conflict_of(facts: dict[str, Quantity], setting: Setting = SETTING, ranks: int = 1) -> Conflict:
    tried = readings(facts, setting, ranks=ranks)
    (conflict,) = propagate(facts, relations_of(setting, SIZING).relations, readings=tried).conflicts
    return conflict


STORY = {"avail_before_load": "94.00", "avail_after_load": "21.71", "kv_pool": "10.42"}


def test_no_reading_of_story_2_makes_its_numbers_agree() -> None:
    conflict = conflict_of(start(0.55, **STORY), ranks=8)
    said = {reading.why.split(":")[0]: reading for reading in conflict.readings}
    assert {reading.status for reading in conflict.readings} == {"excluded"}
    card = said["the whole card of 96 GB in place of what was free"]
    assert "kv_pool would be -21." in card.why
    assert "kv_pool 10.42 GiB (a.log:3)" in card.why
    assert "would be -32" in said["the 8 cards together, 96 · 8 GB"].why
    assert "would be -19.1" in said["all GB are decimal, 10^9 bytes"].why


def test_keys_alone_are_found_as_the_reading_that_fits() -> None:
    right = start(0.88, **{**STORY, "avail_after_load": "21.70", "kv_pool": "5.21"})
    possible = [reading.why for reading in conflict_of(right).readings if reading.status == "possible"]
    assert possible == ["the pool is that of the keys alone, and the values take as much: then all facts agree"]


def test_a_hidden_factor_is_found_where_the_release_has_one() -> None:
    setting = Setting(release=exactly("0.4.8", "a test"))
    factor_in_force = start(0.95, avail_before_load="188.32", avail_after_load="100.00", kv_pool="63.75")
    possible = [
        reading.why for reading in conflict_of(factor_in_force, setting).readings if reading.status == "possible"
    ]
    assert len(possible) == 1
    assert "multiplied by 0.85 after it was printed, as for the aiter" in possible[0]
    later = Setting(release=exactly("0.5.23", "a test"))
    assert not [reading for reading in conflict_of(factor_in_force, later).readings if reading.status == "possible"]


def test_the_pool_of_all_ranks_is_read_as_such() -> None:
    conflict = conflict_of(start(0.88, **{**STORY, "kv_pool": "83.36"}), ranks=8)
    possible = [reading.why for reading in conflict.readings if reading.status == "possible"]
    assert possible == ["the pool is that of all 8 ranks: then all facts agree"]


def test_readings_that_do_not_apply_are_not_tried() -> None:
    assert readings({}, Setting(release=ReleaseRange("0.5.9", "0.5.9", ""))) == []
    said = [reading.says for reading in readings(start(0.55, kv_pool="10.42"), SETTING)]
    assert not any("card" in text or "ranks" in text for text in said)


def test_another_start_of_the_machine_excludes_what_it_did_not_see() -> None:
    other = start(0.5, avail_before_load="94.00", avail_after_load="21.70")
    facts = start(0.55, **STORY)
    known = witnesses([("launch 0", other)])
    (conflict,) = propagate(facts, relations_of(SETTING, SIZING).relations, witnesses=known).conflicts
    assert [s.quantities[0]["name"] for s in conflict.possible] == ["mem_fraction_static"]
    excluded = {s.quantities[0]["name"]: s.why for s in conflict.solutions}
    assert excluded["avail_before_load"] == "launch 0 printed 94 GiB (a.log:1)"
