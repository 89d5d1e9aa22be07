"""The rules that operators follow, as the direction and the actions follow them: each with the log that the rule is not for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import logscope

Reported = Callable[[bytes], dict[str, Any]]
READY = (
    "[2026-03-04 15:33:00 TP0] max_total_num_tokens=10000, chunked_prefill_size=8192, max_prefill_tokens=16384, "
    "max_running_requests=64, context_len=2048, available_gpu_mem=8.93 GB\n"
    "[2026-03-04 15:33:10] The server is fired up and ready to roll!\n"
)
DECODE = (
    "[2026-03-04 15:33:{:02d} TP0] Decode batch, #running-req: 10, #token: {}, token usage: {:.2f}, cuda graph: True, "
    "gen throughput (token/s): 42.0, #queue-req: 3\n"
)
PREFILL = (
    "[2026-03-04 15:33:{:02d} TP0] Prefill batch, #new-seq: 4, #new-token: 6800, #cached-token: 0, token usage: 0.30, "
    "#running-req: 10, #queue-req: 3, \n"
)
RETRACTED = (
    "[2026-03-04 15:33:{:02d} TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: "
    "0.7000 -> 0.9000\n"
)


def _retracted(used: int, between: str = "") -> bytes:
    seconds = range(11, 43, 4)
    return (
        READY
        + "".join(
            DECODE.format(s, used, used / 10000) + between.format(s + 1) + RETRACTED.format(s + 1) for s in seconds
        )
    ).encode()


def _verdict(report: dict[str, Any]) -> dict[str, Any]:
    verdict: dict[str, Any] = report["verdict"]
    return verdict


def test_retractions_raise_the_fraction_on_a_full_pool_only(reported: Reported) -> None:
    """Raise it on a full pool and retractions: beside free tokens something else did not fit, and the sentence says so."""
    full, room = (_verdict(reported(_retracted(used))) for used in (9980, 3000))
    assert full["cause"] == room["cause"] == "retraction_pressure"
    assert (full["fraction"], room["fraction"]) == ("raise", "leave")
    assert "at most 34.0 % of the fullest printed pool were in use" in room["sentence"]
    assert "ran full" not in room["sentence"]
    assert not [a for a in room["actions"] if (a.get("set") or {}).get("flag") == "--mem-fraction-static"]
    assert [a for a in full["actions"] if (a.get("set") or {}).get("flag") == "--mem-fraction-static"]


def test_a_pool_that_prefills_fill_after_the_line_is_full(reported: Reported) -> None:
    """A decode line is up to forty steps old: 3,000 tokens and 6,800 prefilled since are a full pool."""
    assert _verdict(reported(_retracted(3000, between=PREFILL)))["fraction"] == "raise"


def test_retractions_without_a_usage_are_believed(reported: Reported) -> None:
    """The retraction's own words say that the pool was full; nothing here says otherwise."""
    text = READY + "".join(RETRACTED.format(s) for s in range(11, 43, 4))
    assert _verdict(reported(text.encode()))["fraction"] == "raise"


TENANT = (
    "[2026-03-04 15:33:00] server_args=ServerArgs(model_path='/m/a', tp_size=1, mem_fraction_static={})\n"
    "[2026-03-04 15:33:01] Load weight begin. avail mem={:.2f} GB\n"
    "[2026-03-04 15:33:02] Scheduler hit an exception: Traceback (most recent call last):\n"
    '  File "/opt/sglang/srt/model_executor/model_runner.py", line 728, in load_model\n    self.model = get_model(\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 80.00 GiB of "
    "which 308.00 MiB is free. Process 900 has {:.2f} GiB memory in use. Including non-PyTorch memory, this process has "
    "20.90 GiB memory in use. Of the allocated memory 20.30 GiB is allocated by PyTorch, and 90.00 MiB is reserved by "
    "PyTorch but unallocated.\n"
)
ALONE = (
    TENANT[: TENANT.index(" Process 900")]
    + " Including non-PyTorch memory, this process has 79.00 GiB memory in use. "
    + TENANT[TENANT.index("Of the allocated") :].replace("20.30", "78.10")
)


@pytest.mark.parametrize(
    ("fraction", "free", "told"),
    [
        (0.85, 24.0, "set --mem-fraction-static explicitly, from the 24.00 GiB that were free: at most 0.5,"),
        (0.85, 10.0, "no fraction of the 10.00 GiB that it leaves holds the weights, graphs and activations"),
        (None, 24.0, "set --mem-fraction-static explicitly, from the 24.00 GiB that were free."),
    ],
)
def test_a_tenant_that_stays_gets_an_explicit_fraction(
    reported: Reported, fraction: float | None, free: float, told: str
) -> None:
    """80 GiB at 0.85 keep 12 GiB outside the budget: half of 24, more than 10. Ending the tenant still comes first."""
    verdict = reported(TENANT.format(fraction, free, 80 - free).encode())["verdict"]
    assert (verdict["cause"], verdict["fraction"]) == ("device_shared", "leave")
    first, second = (action["do"] for action in verdict["actions"])
    assert first.startswith("Find and end the other process")
    assert second.startswith("If it is to stay: ")
    assert told in second


def test_a_card_of_its_own_has_no_tenant_that_stays(reported: Reported) -> None:
    """The same failure without another process."""
    verdict = reported(ALONE.format(0.85, 79.0).encode())["verdict"]
    assert verdict["cause"] == "load_out_of_memory"
    assert not [action for action in verdict["actions"] if "is to stay" in action["do"]]


def test_the_ceiling_is_found_in_staging(incidents: list[Any]) -> None:
    """Whatever moves the fraction says where its ceiling is found, once; what leaves it does not."""
    moving = 0
    for incident in incidents:
        verdict = logscope.analyze(logscope.open_log(incident.log)).data["verdict"]
        for action in verdict["actions"]:
            moves = (action.get("set") or {}).get("flag") == "--mem-fraction-static"
            told = " ".join(str(action.get(name)) for name in ("do", "verify", "risk")).count("ceiling in staging")
            moving += moves
            assert told == (moves or action["do"].startswith("If it is to stay")), (incident.name, action["do"])
    assert moving > 10
