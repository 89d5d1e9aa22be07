"""Advice about a flag is given only where moving it changes what the server computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import logscope
from logscope import whatif
from logscope.binding_cap import binding_cap
from logscope.errors import FactMissing
from logscope.starts import named, start

FULL = 417_980  # tokens of 128 KiB: the whole budget of 62.80 − 78.50 · 0.15 GiB
OOM = (
    "[2026-02-03 05:00:00] Scheduler hit an exception: Traceback (most recent call last):\n"
    '  File "/opt/sglang/srt/models/llama.py", line 210, in forward\n    x = self.mlp(x)\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB "
    "of which 1.00 GiB is free.\n"
)
RETRACTIONS = "".join(
    f"[2026-02-03 05:00:{second:02d}] KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_token_ratio: 0.0980 -> 0.{second + 20}00\n"
    "[2026-02-03 05:00:%02d] Decode batch. #running-req: 20, #token: 99800, token usage: 1.00, cuda graph: True, gen throughput (token/s): 500.10, #queue-req: 9\n"
    % (second + 1)
    for second in range(0, 40, 4)
)


def log(tmp_path: Path, end: str, *, cap: int | None, pool: int) -> Path:
    arguments = f"model_path='/models/x', mem_fraction_static=0.85, max_total_tokens={cap}, page_size=1, tp_size=1"
    size = pool * 131072 / 2**31
    text = (
        f"[2026-02-03 04:05:00] server_args=ServerArgs({arguments}, device='cuda')\n"
        "[2026-02-03 04:05:01] Load weight begin. avail mem=78.50 GB\n"
        "[2026-02-03 04:05:20] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=62.80 GB, mem usage=15.70 GB.\n"
        f"[2026-02-03 04:05:21] KV Cache is allocated. #tokens: {pool}, K size: {size:.2f} GB, V size: {size:.2f} GB\n"
        f"[2026-02-03 04:05:21] Memory pool end. avail mem={62.75 - 2 * size:.2f} GB\n"
        f"[2026-02-03 04:05:30] max_total_num_tokens={pool}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=256, context_len=8192, available_gpu_mem={60.75 - 2 * size:.2f} GB\n"
        "[2026-02-03 04:05:40] The server is fired up and ready to roll!\n"
    )
    path = tmp_path / "server.log"
    path.write_text(text + end)
    return path


def verdict(path: Path) -> Any:
    return logscope.analyze(logscope.open_log(path)).data["verdict"]


def test_below_the_told_fraction_a_prediction_moves_and_above_it_does_not(tmp_path: Path) -> None:
    path = log(tmp_path, OOM, cap=100_000, pool=100_000)
    found = verdict(path)
    end = found["fraction_range"]["hi"]
    one = start(logscope.open_log(path), named(str(path)))
    base = whatif.baseline(one.facts, one.setting)
    pools = [
        whatif.predicted(whatif.changed(base, {"mem_fraction_static": value}))["max_total_num_tokens"].interval
        for value in (0.84, end + 0.02, end - 0.02)
    ]
    assert pools[0].lo == pools[0].hi == pools[1].lo == 100_000
    assert pools[2].hi < 100_000
    assert found["fraction"] == "lower"
    assert "--max-total-tokens" in found["sentence"]
    assert any(action.get("set", {}).get("flag") == "--max-total-tokens" for action in found["actions"])


def test_the_told_fraction_frees_what_was_missing_beyond_the_cap(tmp_path: Path) -> None:
    small = verdict(log(tmp_path, OOM.replace("1.00 GiB is free", "2.00 GiB is free"), cap=100_000, pool=100_000))
    acts = small["fraction_range"]["hi"]
    ends = verdict(log(tmp_path, OOM, cap=100_000, pool=100_000))["fraction_range"]
    assert acts - 1 / 78.5 - 0.0015 < ends["hi"] <= acts - 1 / 78.5 + 0.0005
    assert "what was missing fits up to" in ends["why"]
    huge = verdict(
        log(tmp_path, OOM.replace("Tried to allocate 2.00", "Tried to allocate 70.00"), cap=100_000, pool=100_000)
    )
    assert "hi" not in huge["fraction_range"]


def test_a_larger_fraction_is_not_advised_where_the_cap_fills(tmp_path: Path) -> None:
    found = verdict(log(tmp_path, RETRACTIONS, cap=100_000, pool=100_000))
    assert (found["cause"], found["fraction"]) == ("retraction_pressure", "leave")
    assert found["actions"][0]["set"]["flag"] == "--max-total-tokens"


def test_without_a_cap_the_fraction_is_the_knob(tmp_path: Path) -> None:
    assert verdict(log(tmp_path, RETRACTIONS, cap=None, pool=FULL))["fraction"] == "raise"
    found = verdict(log(tmp_path, OOM, cap=None, pool=FULL))
    assert found["actions"][0]["set"]["flag"] == "--mem-fraction-static"


def test_a_cap_above_the_pool_binds_nothing(tmp_path: Path) -> None:
    opened = logscope.open_log(log(tmp_path, OOM, cap=900_000, pool=100_000))
    with pytest.raises(FactMissing, match="not the 900,000 of its cap"):
        binding_cap(opened.launches[0])


def test_a_command_repeats_no_value_that_the_server_withheld_and_takes_all_changes(tmp_path: Path) -> None:
    path = log(tmp_path, OOM, cap=None, pool=FULL)
    busy = "[2026-02-03 04:59:00] Decode batch. #running-req: 60, #token: 5000, token usage: 0.05, cuda graph: True, gen throughput (token/s): 900.00, #queue-req: 0\n"
    text = path.read_text().replace("tp_size=1", "tp_size=1, max_running_requests=256, watermark_config='<redacted>'")
    path.write_text(text.replace(OOM, busy + OOM))
    command = verdict(path)["command"]
    assert "redacted" not in command
    assert "--mem-fraction-static 0.83" in command
    assert "--max-running-requests 59" in command
