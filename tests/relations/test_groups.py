"""All groups of equations: documented, applicable or not with a reason, and in units that fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import logscope
from logscope.discover import units
from logscope.errors import UsageError
from logscope.quantity import Quantity
from logscope.relations import DEVICES, SIZING, Setting, relations_of
from logscope.sglang.releases import RELEASES, exactly
from logscope.sizing import setting_of
from logscope.solve import propagate

GROUPS = units("logscope.relations")
SETTINGS = [
    Setting(release=exactly(release, "a test"), **kind)
    for release in ("0.2.13", "0.4.8", "0.5.5", "0.5.9", "0.5.14", RELEASES[-1])
    for kind in (
        {},
        {"mlx": True, "device": "mps"},
        {"speculative": True, "capped": True, "pools": frozenset({"draft"})},
        {"multimodal": True, "smallest": False},
        {"pools": frozenset({"state", "swa"}), "device": "cpu"},
        {"post_capture": True, "virtual": True, "automatic": True},
        {"attention": "dsa", "kv_bytes": 1, "layers": 61},
    )
]


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_a_group_says_its_equation_its_releases_and_its_source(name: str) -> None:
    text = GROUPS[name].__doc__ or ""
    assert text.split("\n", 1)[0].endswith(".")
    assert "\nReleases: " in text
    assert "\nSource: `" in text
    assert "=" in text or "≤" in text


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_a_group_holds_for_some_setting_and_gives_a_reason_for_the_others(name: str) -> None:
    applied = [relations_of(setting, [name]) for setting in SETTINGS]
    assert any(one.relations for one in applied)
    assert all(len(one.without[name]) > 10 for one in applied if not one.relations and one.without)


def test_a_relation_belongs_to_one_group_only() -> None:
    homes: dict[str, set[str]] = {}
    for setting in SETTINGS:
        for name in GROUPS:
            for relation in relations_of(setting, [name]).relations:
                homes.setdefault(relation.name, set()).add(name)
    assert {name: groups for name, groups in homes.items() if len(groups) > 1} == {}


def test_all_groups_together_leave_no_contradiction_where_nothing_is_known() -> None:
    for setting in SETTINGS:
        assert propagate({}, relations_of(setting).relations).consistent


def test_what_does_not_hold_is_told_with_its_group() -> None:
    applied = relations_of(Setting(), SIZING)
    assert set(applied.without) == {"mlx_budget", "post_capture"}


def test_a_device_that_does_not_exist_is_refused() -> None:
    assert "cuda" in DEVICES
    with pytest.raises(UsageError, match="'tpu' is not a device"):
        Setting(device="tpu")


def test_a_pool_above_its_address_space_is_a_contradiction() -> None:
    setting = Setting(release=exactly("0.5.18", "a test"), post_capture=True)
    network = relations_of(setting, ["post_capture"]).relations
    reserved = {"reserved_tokens": Quantity.exact("reserved_tokens", 500_000, "tokens")}
    for tokens, holds in ((400_000, True), (600_000, False)):
        pool = {"max_total_num_tokens": Quantity.exact("max_total_num_tokens", tokens, "tokens")}
        assert propagate({**reserved, **pool}, network).consistent is holds


def test_a_multimodal_model_keeps_between_a_tenth_and_1_1_gib_from_0_5_18_on() -> None:
    facts = {
        "avail_before_load": Quantity.from_text("avail_before_load", "79.00", "GiB"),
        "avail_after_load": Quantity.from_text("avail_after_load", "60.00", "GiB"),
        "mem_fraction_static": Quantity.exact("mem_fraction_static", 0.8, "share"),
    }
    rest = 60 - 79 * 0.2
    for release, least, most in (("0.5.9", 0.0, 0.0), ("0.5.18", 0.0977, 1.0977)):
        network = relations_of(
            Setting(release=exactly(release, "a test"), multimodal=True), ["static_budget"]
        ).relations
        found = propagate(facts, network).value("rest_memory").interval
        assert found.lo == pytest.approx(rest - most, abs=0.01)
        assert found.hi == pytest.approx(rest - least, abs=0.01)


def test_a_rank_is_never_balanced_with_the_reading_of_another() -> None:
    # TP0 has the least memory after the weights, TP3 the least before them: 93.40 is not TP0's own.
    texts = {"avail_before_load": "93.40", "own_avail_before_load": "94.00", "avail_after_load": "21.70"}
    texts |= {"own_avail_after_load": "21.70", "weights": "72.30"}
    facts = {name: Quantity.from_text(name, text, "GiB") for name, text in texts.items()}
    setting = Setting(release=exactly("0.5.9", "a test"), smallest_before=False)
    assert propagate(facts, relations_of(setting, ["weights"]).relations).consistent
    wrong = {**facts, "weights": Quantity.from_text("weights", "71.70", "GiB")}
    (conflict,) = propagate(wrong, relations_of(setting, ["weights"]).relations).conflicts
    assert conflict.strength == "identity"


@pytest.mark.parametrize(("release", "divided"), [("0.5.9", False), ("0.5.11", True)])
def test_the_request_table_of_a_rank_holds_its_share_of_the_requests(
    release: str, divided: bool, tmp_path: Path
) -> None:
    log = tmp_path / "server.log"
    log.write_text(
        "[2026-02-28 11:00:00] server_args=ServerArgs(model_path='m', tp_size=8, dp_size=8, enable_dp_attention=True)\n"
        "[2026-02-28 11:00:01 DP0 TP0] Load weight begin. avail mem=94.00 GB\n"
    )
    rank = logscope.open_log(str(log)).launches[0].rank("DP0 TP0")
    launch = replace(rank.launch, release=exactly(release, "the test"))
    setting = setting_of(launch.rank("DP0 TP0"))
    facts = {
        "max_running_requests": Quantity.exact("max_running_requests", 4096, "requests"),
        "context_length": Quantity.exact("context_length", 131072, "tokens"),
    }
    table = propagate(facts, relations_of(setting, ["request_table"]).relations).value("request_table")
    assert table.interval.mid == pytest.approx(2.0 / 8 if divided else 2.0, rel=0.01)
