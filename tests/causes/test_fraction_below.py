"""The end of the fraction's range frees what the failed allocation lacked, and the knob is that of the graph that failed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import logscope

INCIDENTS = Path(__file__).parents[1] / "fixtures/incidents"
DRAFT, PREFILL, ROOM = "draft-resident-autotune-28-gib", "prefill-capture-4500-mib", "room-for-274934-dies-at-65536"


def verdict(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Any:
    text = (INCIDENTS / name / "log.txt").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "server.log"
    path.write_text(text)
    return logscope.analyze(logscope.open_log(path)).data["verdict"]


def told(verdict: Any) -> float:
    """The fraction of the command."""
    return float(re.findall(r"--mem-fraction-static (\S+)", verdict["command"])[0])


@pytest.mark.parametrize(
    ("name", "stated", "missing", "base", "command"),
    [(DRAFT, 0.9, 16.98, 138.90, 0.77), (PREFILL, 0.9, 3.48, 78.31, 0.85), (ROOM, 0.93, 1.69, 78.40, 0.90)],
)
def test_the_end_of_the_range_frees_what_was_missing(
    tmp_path: Path, name: str, stated: float, missing: float, base: float, command: float
) -> None:
    found = verdict(tmp_path, name)
    end = found["fraction_range"]["hi"]
    assert stated - missing / base - 0.0005 < end <= stated - missing / base
    assert found["fraction"] == "lower"
    assert found["actions"][0]["set"]["hi"] == end
    assert told(found) == command <= end


@pytest.mark.parametrize(
    "free",
    [
        pytest.param("3.90 GiB is free", id="less missing than a step frees"),
        pytest.param("6.00 GiB is free", id="more free than asked: fragments"),
    ],
)
def test_where_little_or_nothing_was_missing_the_step_is_the_end(tmp_path: Path, free: str) -> None:
    found = verdict(tmp_path, ROOM, ("2.31 GiB is free", free))
    assert found["fraction_range"]["hi"] == told(found) == 0.91
    assert found["fraction_range"]["why"].startswith("below the 0.93 that was in force")


def test_without_a_line_of_free_memory_the_size_of_the_card_is_the_base(tmp_path: Path) -> None:
    found = verdict(
        tmp_path, ROOM, ("Load weight begin. avail mem=78.40 GB", "Loading"), ("Load weight end.", "Loaded")
    )
    assert found["fraction_range"]["hi"] == pytest.approx(0.93 - 1.69 / 79.11, abs=3e-4)


@pytest.mark.parametrize(("name", "asked"), [(PREFILL, "4.50 GiB"), (ROOM, "4.00 GiB")])
def test_where_no_fraction_above_the_floor_is_enough_another_knob_is_named_first(
    tmp_path: Path, name: str, asked: str
) -> None:
    found = verdict(tmp_path, name, (f"Tried to allocate {asked}", "Tried to allocate 60.00 GiB"))
    assert found["fraction"] == "lower"
    assert found["fraction_range"]["why"].startswith("the fraction alone does not suffice: ")
    assert not {"lo", "hi"} & set(found["fraction_range"])
    flags = {PREFILL: "--cuda-graph-max-bs-prefill", ROOM: "--chunked-prefill-size"}
    assert flags[name] in found["actions"][0]["do"]
    assert "--mem-fraction-static" not in found.get("command", "")


def test_a_chunk_is_made_so_small_that_its_reserve_fits_what_was_left(tmp_path: Path) -> None:
    """3.12 GiB hold 4096 tokens of half a MiB; 40 GiB hold any chunk of this log, so half of it is told."""
    assert "--chunked-prefill-size 4096" in verdict(tmp_path, ROOM)["command"]
    roomy = verdict(tmp_path, ROOM, ("available_gpu_mem=3.12 GB", "available_gpu_mem=40.12 GB"))
    assert "--chunked-prefill-size 32768" in roomy["command"]


@pytest.mark.parametrize(
    ("name", "changes", "flag"),
    [
        pytest.param(PREFILL, (), "--cuda-graph-max-bs-prefill", id="the error names prefill"),
        pytest.param(
            PREFILL,
            (("Exception: Capture prefill CUDA graph failed: ", "torch.OutOfMemoryError: "),),
            "--cuda-graph-max-bs-prefill",
            id="the capture that had begun is of prefill",
        ),
        pytest.param(
            PREFILL,
            (("Capture prefill CUDA graph failed", "Capture cuda graph failed"),),
            "--cuda-graph-max-bs-decode",
            id="the error names the decode graph",
        ),
        pytest.param(DRAFT, (), "--cuda-graph-max-bs-decode", id="a verify graph"),
    ],
)
def test_the_knob_is_that_of_the_graph_that_failed(
    tmp_path: Path, name: str, changes: tuple[tuple[str, str], ...], flag: str
) -> None:
    found = verdict(tmp_path, name, *changes)
    assert found["cause"] == "graph_capture_failed_memory"
    assert [action["set"]["flag"] for action in found["actions"]] == ["--mem-fraction-static", flag]


def test_nothing_is_said_of_a_pool_that_no_line_tells(tmp_path: Path) -> None:
    assert not any("as before" in str(action) for action in verdict(tmp_path, DRAFT)["actions"])
