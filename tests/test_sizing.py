"""A launch of many ranks is solved rank by rank: what is shown of one is not worked out for all."""

from __future__ import annotations

import time
from pathlib import Path

import logscope
from logscope.launch import Launch
from logscope.rules import mem101_memory_numbers_exclude_each_other as mem101
from logscope.sizing import solved

RANKS = [f"TP{number}" for number in range(16)]


def sixteen(path: Path, fraction: float) -> Launch:
    """16 ranks with 94 GiB less a little each, 72.30 of weights and a pool of 9.99: at 0.8801 the numbers agree."""
    dump = f"model_path='m', tp_size=16, page_size=64, mem_fraction_static={fraction}, chunked_prefill_size=8192"
    lines = [f"[2026-02-28 11:00:00] server_args=ServerArgs({dump})"]
    for number, rank in enumerate(RANKS):
        at, after = f"[2026-02-28 11:00:01 {rank}]", 21.7 - 0.03 * number
        lines += [
            f"{at} Load weight begin. avail mem={after + 72.3:.2f} GB",
            f"{at} Load weight end. type=M, dtype=torch.bfloat16, avail mem={after:.2f} GB, mem usage=72.30 GB.",
            f"{at} KV Cache is allocated. #tokens: 152640, KV size: 9.99 GB",
            f"{at} Memory pool end. avail mem={after - 10.09:.2f} GB",
        ]
    path.write_text("\n".join(lines) + "\n")
    return logscope.open_log(str(path)).launches[0]


def test_sixteen_ranks_are_solved_within_a_fifth_of_a_second_of_computing(tmp_path: Path) -> None:
    for fraction, conflicts in ((0.8801, 0), (0.55, 1)):
        launch = sixteen(tmp_path / "server.log", fraction)
        assert set(RANKS) <= set(launch.ranks)
        assert launch.release.lo
        solved(sixteen(tmp_path / "warm.log", fraction).rank("TP0"))
        started = time.process_time()
        found = [solved(launch.rank(rank)) for rank in RANKS]
        assert time.process_time() - started < 0.2
        assert {len(one.conflicts) for one in found} == {conflicts}


def test_a_finding_for_many_ranks_tells_which_other_readings_of_its_rank_were_tried(tmp_path: Path) -> None:
    others, least = mem101.check(sixteen(tmp_path / "server.log", 0.55))
    assert "The same on 14 more ranks" in others.message
    assert (others.rank, least.rank) == ("TP0", "TP15")
    for finding in (others, least):
        assert any("decimal" in solution.why for solution in finding.solutions)
