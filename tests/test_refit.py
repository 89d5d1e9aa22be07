"""The automatic fraction with other flags: the device is read from the printed fraction."""

from __future__ import annotations

from pathlib import Path

import pytest

import logscope
from logscope.errors import FactMissing
from logscope.refit import refitted
from logscope.starts import Start, named, start


@pytest.fixture(scope="module")
def laptop() -> Start:
    path = Path(__file__).parent / "fixtures/logs/story-1-pool-nearly-empty-out-of-memory.log"
    return start(logscope.open_log(path), named(f"{path.name}#1"))


def test_a_smaller_chunk_raises_an_automatic_fraction(laptop: Start) -> None:
    found = refitted(laptop.rank.launch, {"chunked_prefill_size": 2048}, laptop.facts)
    # 1.5 MiB a token of the chunk, on a device of 53 GiB: 0.872 + 1.5 · 2048 / 53084.
    assert pytest.approx(found.value, abs=0.002) == 0.872 + 1.5 * 2048 / 53_084
    assert found.interval.width < 0.003


def test_the_same_chunk_gives_the_printed_fraction_back(laptop: Start) -> None:
    found = refitted(laptop.rank.launch, {"chunked_prefill_size": 4096}, laptop.facts)
    assert 0.872 in found.interval.widened(1e-9)


def test_a_fraction_that_is_set_is_not_refitted(laptop: Start) -> None:
    with pytest.raises(FactMissing, match="no flag that an automatic fraction depends on"):
        refitted(laptop.rank.launch, {"chunked_prefill_size": 2048, "mem_fraction_static": 0.5}, laptop.facts)
    with pytest.raises(FactMissing, match="no flag"):
        refitted(laptop.rank.launch, {"page_size": 16}, laptop.facts)


def test_a_fraction_that_no_device_makes_automatic_was_given(laptop: Start) -> None:
    impossible = {"avail_before_load": laptop.facts["sys_available"].named("avail_before_load")}
    huge = {"avail_before_load": impossible["avail_before_load"].scaled(1e4, "GiB", "a test")}
    with pytest.raises(FactMissing, match="was given, and stays"):
        refitted(laptop.rank.launch, {"chunked_prefill_size": 2048}, huge)
