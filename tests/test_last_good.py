"""A fatal start beside those before and after it that served."""

from __future__ import annotations

from pathlib import Path

import logscope


def _told(*paths: Path) -> list[str]:
    chain = logscope.analyze(logscope.open_log(paths)).data["verdict"]["chain"]
    return [link["says"] for link in chain if link["says"].startswith("the start ")]


def test_the_start_before_tells_by_what_the_pool_changed(logs: Path) -> None:
    (before,) = _told(logs / "story-1-pool-nearly-empty-out-of-memory.log")
    assert before == (
        "the start before it (launch 0) came up: with the same arguments; "
        "the pool went from 227,022 to 312,581 tokens, +85,559 of it by sys_available"
    )


def test_a_later_start_of_another_file_tells_which_argument_cured_it(logs: Path) -> None:
    fatal, later = logs / "story-1-pool-nearly-empty-out-of-memory.log", logs / "story-1-third-start-at-04.log"
    for paths in ((fatal, later), (later, fatal)):
        before, after = _told(*paths)
        assert before.startswith("the start before it")
        assert after.endswith(
            "served and did not die: since then mem_fraction_static 0.872 → 0.4 changed; "
            "the pool went from 312,581 to 181,574 tokens, -191,726 of it by mem_fraction_static"
        )


def test_a_server_that_ran_at_the_same_time_is_neither_before_nor_after(logs: Path, tmp_path: Path) -> None:
    fatal = logs / "story-1-pool-nearly-empty-out-of-memory.log"
    other = (logs / "story-1-third-start-at-04.log").read_text()
    beside = tmp_path / "other-machine.log"
    hours = sorted({line[:14] for line in other.splitlines() if line.startswith("[2026")})
    for hour in hours:
        other = other.replace(hour, "[2026-11-17 10")
    beside.write_text(other)
    assert not [says for says in _told(fatal, beside) if says.startswith("the start after")]


def test_a_start_that_serves_has_nothing_to_be_compared_with(logs: Path) -> None:
    assert not _told(logs / "story-1-third-start-at-04.log")
