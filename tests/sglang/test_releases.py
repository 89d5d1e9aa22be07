from __future__ import annotations

import pytest

from logscope.errors import NotApplicable, UsageError
from logscope.sglang import FIRST, LAST, RELEASES, ReleaseRange, after, before, between, exactly, order


def test_releases_are_listed_in_order_and_once() -> None:
    assert list(RELEASES) == sorted(set(RELEASES), key=order)
    assert (FIRST, LAST) == ("0.1.15", "0.5.23")
    assert {"0.2.9.post1", "0.4.6.post5", "0.5.12.post1"} <= set(RELEASES)
    assert not {"0.1.23", "0.5.0"} & set(RELEASES)


def test_post_releases_candidates_and_builds_stand_where_they_belong() -> None:
    names = ["0.4.9rc1", "0.4.9", "0.4.9.post1", "0.4.10.dev5+g1a2b", "0.4.10", "0.5.0rc2", "0.5.1"]
    assert sorted(sorted(names), key=order) == names
    assert order("0.4.9") < order("0.4.9.post1") < order("0.4.10")
    assert order("v0.5.9") == order("0.5.9+cu129")


def test_what_is_no_version_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="'main'"):
        order("main")


def test_between_is_closed_and_open_ends_reach_the_ends() -> None:
    assert between("0.4.9", "0.4.9.post2") == ("0.4.9", "0.4.9.post1", "0.4.9.post2")
    assert between() == RELEASES
    assert between("0.5.22") == ("0.5.22", "0.5.23")
    assert between(hi="0.1.16") == ("0.1.15", "0.1.16")


def test_neighbours_of_a_release_are_listed_releases() -> None:
    assert (before("0.5.1"), after("0.4.10.post2")) == ("0.4.10.post2", "0.5.1")
    assert (before("0.1.15"), after("0.5.23")) == ("", "")


def test_two_ranges_meet_in_what_both_hold_and_keep_the_reason() -> None:
    printed = ReleaseRange("0.5.3", "0.5.18", "server_args printed as a constructor")
    assert printed.meet(ReleaseRange("0.5.9", "", "elapsed=")) == ReleaseRange(
        "0.5.9", "0.5.18", "server_args printed as a constructor; elapsed="
    )
    assert printed.meet(ReleaseRange()) == printed
    assert printed.meet(ReleaseRange("0.5.19", "", "dict")).empty


def test_a_range_between_two_releases_stands_for_its_neighbour() -> None:
    assert exactly("0.5.0rc2", "banner").releases == ("0.5.1",)
    assert exactly("0.6.0", "banner").releases == ("0.5.23",)
    assert ReleaseRange("0.5.9", "0.5.3").releases == ()


def test_a_question_is_answered_only_if_every_release_agrees() -> None:
    span = ReleaseRange("0.5.7", "0.5.12", "text")
    assert span.ask(lambda release: order(release) >= order("0.5.3")) is True
    with pytest.raises(NotApplicable, match=r"0\.5\.7 to 0\.5\.12.*since 0\.5\.9"):
        span.ask(lambda release: order(release) >= order("0.5.9"))


def test_since_and_until_are_certain_only_at_a_known_end() -> None:
    span = ReleaseRange("0.5.7", "", "text")
    assert span.since("0.5.7")
    assert not span.since("0.5.8")
    assert not span.until("0.5.23")
