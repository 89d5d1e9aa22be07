"""One start of a server by its name, with what its log tells of sizing."""

from __future__ import annotations

from pathlib import Path

import pytest

import logscope
from logscope.divergence import events, first_divergence
from logscope.errors import UsageError
from logscope.log import Log
from logscope.starts import Named, named, start

LOGS = Path(__file__).parent / "fixtures/logs"


@pytest.fixture(scope="module")
def story_2() -> Log:
    return logscope.open_log(LOGS / "story-2-refused-then-booted.log")


def test_names_of_launches_and_ranks_are_taken_apart() -> None:
    assert named("crash.log") == Named("crash.log")
    assert named("crash.log#1") == Named("crash.log", 1)
    assert named("a#b.log#0/DP0 TP3") == Named("a#b.log", 0, "DP0 TP3")
    assert named("crash.log#one") == Named("crash.log#one")


def test_a_file_whose_name_looks_like_a_launch_is_that_file(tmp_path: Path) -> None:
    path = tmp_path / "crash.log#1"
    path.touch()
    assert named(str(path)) == Named(str(path))


def test_the_refused_start_takes_its_bytes_of_a_token_from_the_published_shape(story_2: Log) -> None:
    refused = start(story_2, Named("x", 0))
    assert refused.refused
    assert refused.facts["cell_size"].value == 70_272
    assert "published shape" in (refused.facts["cell_size"].equation or "")
    assert "kv_pool" not in refused.facts


def test_the_rank_with_the_least_memory_stands_for_the_launch(story_2: Log) -> None:
    booted = start(story_2, Named("x", 1))
    assert not booted.refused
    assert booted.setting.smallest
    assert booted.facts["avail_after_load"].value == 21.71
    assert booted.facts["kv_pool"].value == 10.42


def test_a_rank_by_its_name_keeps_that_name(story_2: Log) -> None:
    third = start(story_2, Named("x", 1, "TP3"))
    assert third.name == "x#1/TP3"
    assert third.rank.name == "TP3"
    with pytest.raises(UsageError, match="has the ranks TP0"):
        start(story_2, Named("x", 1, "TP42"))


def test_two_starts_part_where_one_is_refused(story_2: Log) -> None:
    first, second = (start(story_2, Named("x", number)).rank for number in (0, 1))
    parting = first_divergence(first, second)
    assert parting["a"]["line"]["line"] == pytest.approx(280, abs=160)
    assert parting["b"]["line"]["line"] > parting["a"]["line"]["line"]
    assert parting["a"]["event"] != parting["b"]["event"]


def test_a_start_does_not_part_from_itself(story_2: Log) -> None:
    rank = start(story_2, Named("x", 0)).rank
    assert first_divergence(rank, rank) == {}
    lines = [event["line"].line for event in events(rank)]
    assert lines == sorted(lines)
