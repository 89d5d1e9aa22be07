"""From free memory to the size of the pool: the rest memory, its tokens, the caps, and the refusal.

Source: `model_runner.py` (`profile_max_num_token`, `init_memory_pool`), from 0.5.7 on `model_runner_kv_cache_mixin.py`,
from 0.5.16 on `mem_cache/kv_cache_configurator.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

from logscope.quantity import Interval
from logscope.sglang.sizing import sizing

Number = TypeVar("Number", float, Interval)
GIB = 1 << 30


def rest_gib(before: Number, after: Number, fraction: Number) -> Number:
    """The KV budget (GiB): what is free after loading, less what the fraction keeps of what was free before.

    It may be negative; then the release refuses to start.
    """
    return after - before * (1 - fraction)


def implied_fraction(before: Number, after: Number, pool: Number) -> Number:
    """The fraction that gives a pool (GiB) from the memory free before and after loading."""
    return 1 - (after - pool) / before


def implied_before(after: Number, pool: Number, fraction: Number) -> Number:
    """The memory free before loading (GiB) that gives a pool."""
    return (after - pool) / (1 - fraction)


def implied_after(before: Number, pool: Number, fraction: Number) -> Number:
    """The memory free after loading (GiB) that gives a pool."""
    return pool + before * (1 - fraction)


def smallest_fraction(before: Number, after: Number) -> Number:
    """Below or at this fraction nothing is left for the pool."""
    return 1 - after / before


def multimodal_reserve_gib(release: str, *, multimodal: bool, shared_transport: bool = False) -> float:
    """What multimodal models keep out of the budget (GiB); more with a transport over shared device memory."""
    if not multimodal or not sizing(release).multimodal_reserve:
        return 0.0
    return (100 + (1024 if shared_transport else 0)) / 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """What enlarges a pool for speculative decoding: slots, steps, branches and draft tokens."""

    algorithm: str
    slots: int
    steps: int = 0
    top_k: int = 1
    draft_tokens: int = 0


def profiled_tokens(release: str, rest: float, cell: float) -> int:
    """Tokens that the rest memory (GiB) holds; negative when it is negative."""
    floor = sizing(release).floor
    if floor == "divide, then truncate":
        return int(rest * GIB // cell)
    return int(int(rest * GIB) // cell)


def pool_tokens(
    release: str,
    profiled: int,
    *,
    max_total_tokens: int | None = None,
    page_size: int = 1,
    small_kv_tokens: int | None = None,
    speculation: Speculation | None = None,
) -> int:
    """The pool in tokens (max_total_num_tokens): overrides, room for speculation, cap, whole pages.

    Not yet split for sliding windows, and of one pipeline stage. Zero or less means that the start is refused.
    """
    rules = sizing(release)
    tokens = profiled
    if small_kv_tokens is not None and rules.small_kv_variable:
        tokens = small_kv_tokens
    if speculation is not None:
        tokens += speculation_room(release, speculation)
    if max_total_tokens is not None and rules.token_cap:
        tokens = min(tokens, max_total_tokens)
    return tokens // page_size * page_size if rules.pages else tokens


def speculation_room(release: str, speculation: Speculation) -> int:
    """Tokens that a release adds to the target's pool for speculative decoding, beyond the budget."""
    rules = sizing(release)
    eagle = speculation.algorithm.startswith(("EAGLE", "NEXTN", "STANDALONE"))
    if rules.speculation_room != "pool" or (rules.speculation_room_eagle_only and not eagle):
        return 0
    tree = speculation.steps * speculation.top_k + speculation.draft_tokens
    return speculation.slots * tree + 100


def window_refusal(release: str, *, window_pool_tokens: int, window_tokens: int, page_size: int = 1) -> str | None:
    """The beginning of what a release says of a window pool that holds no request; None when it starts or is silent."""
    if not sizing(release).window_floor or window_tokens + page_size < window_pool_tokens:
        return None
    return f"SWA pool ({window_pool_tokens} tokens) cannot hold even one request"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a release would refuse to start: what its message says, and the smallest fraction that it names."""

    message: str
    smallest_fraction: float | None = None


def refusal(release: str, *, rest: float, tokens: int, fraction: float, before: float, after: float) -> Refusal | None:
    """What a release says instead of starting; None when it starts.

    From 0.5.14 on a rest of zero or less is refused before tokens are counted; the old sentence is left for a rest
    smaller than a page.
    """
    rules = sizing(release)
    if rules.refusal == "rest" and rest <= 0:
        floor = 1 - after / before
        return Refusal("Loaded weights leave no GPU memory for the KV cache", math.ceil(floor * 1000) / 1000)
    if tokens > 0:
        return None
    if release in ("0.1.15", "0.1.16", "0.1.17"):
        return Refusal("Not enought memory. Please try to increase --mem-fraction-static.")
    sentence = "Not enough memory. Please try to increase --mem-fraction-static."
    if rules.refusal == "tokens, with value":
        sentence += f" Current value: {fraction}"
    return Refusal(sentence)
