"""The release as an unknown: the numbers of a start are tried by each formula of the range that its wordings leave."""

from __future__ import annotations

from pathlib import Path

import pytest

import logscope
from logscope.check import check
from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.fitting import fitting, told
from logscope.launch import Launch

START = (
    "[2026-02-28 11:00:00] server_args=ServerArgs(model_path='m', tp_size=1, page_size=1, mem_fraction_static=0.8, "
    "speculative_algorithm='EAGLE', speculative_draft_model_path='d', "
    "speculative_num_steps=2, speculative_eagle_topk=1, speculative_num_draft_tokens=4)\n"
    "[2026-02-28 11:00:01] Load weight begin. avail mem=80.00 GB\n"
    "[2026-02-28 11:00:31] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=46.00 GB, "
    "mem usage=34.00 GB.\n"
)
"""The budget is 46 − 80 · 0.2 = 30 GiB, and a speculation whose draft no line shows before the pool."""


OLD = "KV Cache is allocated. #tokens"
NEW = "KV Cache is allocated. dtype: torch.bfloat16, #tokens"
DRAFT = (
    "[2026-02-28 11:00:34] Load weight begin. avail mem=15.00 GB\n"
    "[2026-02-28 11:00:35] Load weight end. type=LlamaForCausalLMEagle, dtype=torch.bfloat16, avail mem=14.00 GB, "
    "mem usage=1.00 GB.\n"
)
"""Behind the pool, as up to 0.5.13."""


def launch(folder: Path, wording: str, size_gib: float, more: str = "") -> Launch:
    """A start with a pool of this size at 80 KiB a token, and what is left beside it."""
    tokens, half = int(size_gib * 2**30 / 81920) - 1, f"{size_gib / 2:.2f}"
    path = folder / "server.log"
    path.write_text(
        START
        + f"[2026-02-28 11:00:32] {wording}: {tokens}, K size: {half} GB, V size: {half} GB\n"
        + f"[2026-02-28 11:00:33] Memory pool end. avail mem={max(46 - size_gib - 0.2, 0):.2f} GB\n"
        + more
    )
    return logscope.open_log(str(path)).launches[0]


def decode(rate: str) -> str:
    line = f"accept len: 2.60, accept rate: {rate}, cuda graph: True, gen throughput (token/s): 60.00, #queue-req: 0"
    return f"[2026-02-28 11:05:00] Decode batch, #running-req: 4, #token: 2160, token usage: 0.01, {line}\n" * 6


def fired(found: Launch) -> list[Finding]:
    return [finding for finding in check([found]).findings if finding.rule in ("MEM101", "SPC103")]


@pytest.mark.parametrize("wording", [OLD, NEW])
def test_a_pool_that_every_release_of_the_range_computes_tells_none_apart(wording: str, tmp_path: Path) -> None:
    found = launch(tmp_path, wording, 30.0, DRAFT if wording == OLD else "")
    assert len(found.release.releases) > 5
    assert fired(found) == []
    with pytest.raises(FactMissing, match="no number tells"):
        fitting(found)


def test_room_for_speculation_tells_the_releases_that_add_it_beyond_the_budget(tmp_path: Path) -> None:
    found = launch(tmp_path, OLD, 31.0, DRAFT)
    assert {"0.5.6", "0.5.7"} <= set(found.release.releases)
    assert fired(found) == []
    assert told(found) == f"the numbers are those of {found.release.lo} to 0.5.6.post2"


def test_a_draft_inside_the_budget_tells_the_releases_that_count_it_there(tmp_path: Path) -> None:
    found = launch(tmp_path, NEW, 24.0)
    assert {"0.5.13", "0.5.14"} <= set(found.release.releases)
    assert fired(found) == []
    assert fitting(found)[0] == "0.5.14"
    assert fitting(found)[-1] == found.release.releases[-1]


@pytest.mark.parametrize(("wording", "size_gib"), [(OLD, 44.0), (OLD, 20.0), (NEW, 36.0)])
def test_a_pool_that_no_release_of_the_range_computes_is_a_mismatch_with_its_residual(
    wording: str, size_gib: float, tmp_path: Path
) -> None:
    found = launch(tmp_path, wording, size_gib, DRAFT if wording == OLD else "")
    (finding,) = fired(found)
    assert (finding.rule, finding.kind) == ("MEM101", "mismatch")
    assert f"None of the {len(found.release.releases)} releases" in finding.message
    assert finding.gap is not None
    assert finding.gap.value > finding.gap.rounding_explains
    assert fitting(found) == ()
    assert told(found) == "no release of the range computes these numbers"


@pytest.mark.parametrize(
    ("rate", "fit"), [("0.65", ("0.5.6", "0.5.8.post1")), ("0.87", ("0.5.4.post1", "0.5.5.post3"))]
)
def test_the_accept_rate_tells_the_release_by_what_it_divides_by(
    rate: str, fit: tuple[str, str], tmp_path: Path
) -> None:
    found = launch(tmp_path, OLD, 30.0, DRAFT + decode(rate))
    assert fired(found) == []
    assert told(found) == f"the numbers are those of {fit[0]} to {fit[1]}"


def test_an_accept_rate_of_no_release_of_the_range_is_a_mismatch(tmp_path: Path) -> None:
    found = launch(tmp_path, OLD, 30.0, DRAFT + decode("0.53"))
    (finding,) = fired(found)
    assert (finding.rule, finding.kind) == ("SPC103", "mismatch")
    assert fitting(found) == ()


def test_the_report_says_which_releases_computed_its_numbers(tmp_path: Path) -> None:
    launch(tmp_path, OLD, 31.0, DRAFT)
    report = logscope.analyze(logscope.open_log(str(tmp_path / "server.log")))
    release = report.data["launches"][0]["release"]
    assert release["fitting"]["releases"][-1] == "0.5.6.post2"
    assert release["fitting"]["says"] in release["how"]
    assert release["fitting"]["says"] in " ".join(logscope.to_text(report).split())
