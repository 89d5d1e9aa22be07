"""A leak, a double free and one state slot: what the idle check of two pools printed, in the words of three releases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reported = Callable[[bytes], dict[str, Any]]
RAISED = (
    "[2026-02-03 04:05:06 TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
    '  File "/opt/sglang/srt/managers/scheduler.py", line 77, in event_loop_overlap\n    self.self_check_during_idle()\n'
    "ValueError: {} memory leak detected! "
)
NAMED = RAISED.format("token_to_kv_pool_allocator") + (  # 0.5.4 to 0.5.10.post1
    "full_available_size={}, full_evictable_size=900, self.token_to_kv_pool_allocator.size=1000, "
    "self.tree_cache.full_protected_size()=0\n"
)
NAMED_STATES = (
    "mamba_available_size={}, mamba_evictable_size=9, self.req_to_token_pool.mamba_pool.size=80, "
    "self.tree_cache.mamba_protected_size()=0\n"
)
PARTS = "[{}] total={}, available={}, evictable={}, protected=0, session_held=0, uncached=0\n"
WINDOWS = RAISED.format("token_to_kv_pool_allocator") + (
    "self.full_tokens_per_layer=1000, full_available_size=100, full_evictable_size=900, full_protected=0, "
    "session_held_full=0\nself.swa_tokens_per_layer=400, swa_available_size=300, swa_evictable_size=83, swa_protected=1, "
    "session_held_swa=0\n"
)


def _listed(name: str, full: int, states: int) -> str:
    return RAISED.format(name) + PARTS.format("full", 1000, full, 900) + PARTS.format("mamba", 80, states, 9)


def _named(full: int, states: int) -> str:
    return NAMED.format(full) + NAMED_STATES.format(states)


WRITINGS = {
    "0.5.4": _named,
    "0.5.11": lambda full, states: _listed("pool", full, states),
    "another headline": lambda full, states: _listed("token_to_kv_pool_allocator", full, states),
}


def _verdict(reported: Reported, text: str) -> dict[str, Any]:
    verdict: dict[str, Any] = reported(text.encode())["verdict"]
    assert (verdict["cause"], verdict["fraction"]) == ("pool_accounting_broken", "leave")
    return verdict


@pytest.mark.parametrize("write", WRITINGS.values(), ids=WRITINGS)
def test_one_state_slot_is_told_as_one(reported: Reported, write: Callable[[int, int], str]) -> None:
    """The headline pool balances and the states are one short: one slot, no leak of tokens."""
    verdict = _verdict(reported, write(100, 70))
    assert "80 slots and accounts for 79: one state slot was not given back" in verdict["sentence"]
    assert verdict["confidence"] == "certain"
    assert "STRICT_MEM_CHECK" in verdict["actions"][0]["do"]


@pytest.mark.parametrize("write", WRITINGS.values(), ids=WRITINGS)
@pytest.mark.parametrize(
    ("full", "states", "told"),
    [
        (93, 71, "The full pool has 1,000 slots and accounts for 993: 7 are missing: nobody gave them back (a leak)"),
        (104, 71, "accounts for 1,004: 4 are counted twice: given back twice (a double free)"),
        (100, 66, "The mamba pool has 80 slots and accounts for 75: 5 are missing"),
        (100, 72, "The mamba pool has 80 slots and accounts for 81: 1 is counted twice"),
    ],
)
def test_more_than_one_slot_is_a_leak_or_a_double_free(
    reported: Reported, write: Callable[[int, int], str], full: int, states: int, told: str
) -> None:
    """Tokens, several states, or a state too many: not the one slot, and the check is not to be quietened."""
    verdict = _verdict(reported, write(full, states))
    assert told in verdict["sentence"]
    assert not [action for action in verdict["actions"] if "STRICT_MEM_CHECK" in action["do"]]


def test_a_window_pool_that_is_short_is_named(reported: Reported) -> None:
    """0.5.10.post1 prints the sizes first: 16 tokens of the windows, and none of the full pool."""
    sentence = _verdict(reported, WINDOWS)["sentence"]
    assert "The swa pool has 400 slots and accounts for 384: 16 are missing" in sentence


def test_a_check_cut_after_its_first_pool(reported: Reported) -> None:
    """The first line balances and the second is gone: it is the other pool, and nothing is certain."""
    verdict = _verdict(reported, NAMED.format(100))
    assert verdict["confidence"] == "likely"
    assert "what is printed of the full pool balances" in verdict["sentence"]
