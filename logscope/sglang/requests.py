"""How many requests a release runs at once, what their table takes, and how long an input may be.

Source: `model_runner.py` (`init_memory_pool`), `managers/tp_worker.py`, `mem_cache/memory_pool.py` (`ReqToTokenPool`).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.sglang.releases import order
from logscope.sglang.sizing import sizing


def request_slots(
    release: str, tokens: int, context_tokens: int, *, max_running_requests: int | None = None, dp_size: int = 1
) -> int:
    """Slots of the request table; `dp_size` counts only under DP attention.

    `tokens` is the profiled pool from 0.4.1.post4 to 0.5.9, the final one before and after. Slots of hybrid models
    are further limited by their states (`state`).
    """
    rules = sizing(release)
    if rules.running in ("slots", "half"):
        return max_running(release, tokens, context_tokens, max_running_requests=max_running_requests, dp_size=dp_size)
    if max_running_requests is not None and order(release) >= order("0.2.6"):
        return max_running_requests
    return _estimated(release, tokens, context_tokens)


def _estimated(release: str, tokens: int, context_tokens: int) -> int:
    rules = sizing(release)
    slots = int(tokens / context_tokens * rules.request_factor)
    slots = max(slots, rules.request_floor) if rules.request_floor is not None else slots
    return min(slots, rules.request_cap) if rules.request_cap is not None else slots


def default_running(release: str, speculative_algorithm: str | None) -> int | None:
    """The max_running_requests that a release sets when none is given: only with speculation, 32 and later 48."""
    if speculative_algorithm is None:
        return None
    return sizing(release).speculation_running


def max_running(
    release: str, tokens: int, context_tokens: int, *, max_running_requests: int | None = None, dp_size: int = 1
) -> int:
    """The printed max_running_requests of a rank; not yet limited by state slots of hybrid models.

    `max_running_requests` is the argument after defaults (speculation sets 32 or 48 where none is given).
    """
    rules = sizing(release)
    divided = max_running_requests
    if divided is not None and rules.running_divided_by_dp:
        divided = max(rules.running_least, divided // dp_size)
    if rules.running == "half":
        return min(_estimated(release, tokens, context_tokens) if divided is None else divided, tokens // 2)
    if rules.running == "slots":
        slots = _estimated(release, tokens, context_tokens)
        return min(slots, tokens // 2 if divided is None else divided)
    wanted = tokens // 2 if divided is None else divided
    if rules.running == "half or flag":
        return wanted
    slots = request_slots(release, tokens, context_tokens, max_running_requests=max_running_requests)
    return min(wanted, slots + rules.running_margin)


def request_table_bytes(release: str, slots: int, context_tokens: int, *, draft_tokens: int | None = None) -> int:
    """Bytes of the request table on the device, which come out of the memory left beside the pool.

    `slots` as `request_slots` gives them; a decode node of 32 slots or fewer keeps twice as many more.
    """
    rules = sizing(release)
    columns = context_tokens + rules.request_extra_columns
    columns += draft_tokens if draft_tokens is not None and rules.request_draft_columns else 0
    return (slots + rules.request_extra_rows) * columns * 4


def longest_input(release: str, tokens: int, context_tokens: int) -> int:
    """The longest input (tokens) that is not rejected; so a rejection tells the pool, where it is the smaller one.

    Raises NotApplicable before 0.3.4.post1, which cut inputs instead.
    """
    if order(release) < order("0.3.4.post1"):
        raise NotApplicable(f"SGLang {release} has no such limit")
    return min(context_tokens - 1, tokens - 1) - 5
