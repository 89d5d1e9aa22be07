"""The rules that operators follow, as the direction and the actions follow them: each with the log that the rule is not for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
