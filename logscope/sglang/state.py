"""How hybrid models (mamba, gated delta net) divide the rest memory between request states and the KV pool.

Source: `model_runner.py` (`handle_max_mamba_cache`, 0.5.3.post2 and later), `model_runner_kv_cache_mixin.py`,
`mem_cache/kv_cache_configurator.py` (`_handle_max_mamba_cache`, 0.5.16 and later).
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import NotApplicable
from logscope.sglang.sizing import Sizing, sizing

GIB = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What the division depends on: bytes of one request's state on this rank, and the arguments.

    `slots` is max_mamba_cache_size, `running` max_running_requests, `share` mamba_full_memory_ratio, `draft_tokens`
    absent without speculation. `slots_per_request` is for extra buffers (4 or 5); without it the release's own number.
    """

    bytes_per_request: int
    slots: int | None = None
    running: int | None = None
    dp_size: int = 1
    share: float = 0.9
    draft_tokens: int | None = None
    radix_cache: bool = True
    slots_per_request: int | None = None


@dataclass(frozen=True, slots=True)
class Division:
    """State slots, and what is left for the KV pool (GiB). No slots: the start is refused from 0.5.13 on."""

    slots: int
    rest_gib: float


def divide(release: str, rest: float, state: State) -> Division:
    """The division of the rest memory (GiB); raises NotApplicable before 0.5.2 and where an argument decides."""
    rules = sizing(release)
    if rules.mamba == "none":
        raise NotApplicable(f"SGLang {release} keeps no request states")
    if rules.mamba == "slots":
        if state.slots is None:
            raise NotApplicable(f"SGLang {release} needs --max-mamba-cache-size")
        return Division(state.slots, rest - state.slots * state.bytes_per_request / GIB)
    if rules.mamba == "share, speculation per slot":
        return _per_slot(rest, state)
    if rules.mamba == "joint":
        return _joint(rules, rest, state)
    return _shared(rules, rest, state)


def _share_bytes(rest: float, state: State) -> float:
    return rest * state.share / (1 + state.share) * GIB


def _per_slot(rest: float, state: State) -> Division:
    states = 1 + (state.draft_tokens or 0)
    if not state.radix_cache:
        slots = state.slots or state.running or 512
    else:
        slots = int(_share_bytes(rest, state) // state.bytes_per_request // states)
    slots //= state.dp_size
    return Division(slots, rest - slots * state.bytes_per_request * states / GIB)


def _rank_running(rules: Sizing, state: State) -> int:
    return max(rules.running_least, (state.running or 0) // state.dp_size)


def _given(rules: Sizing, state: State) -> int | None:
    """Slots that the arguments fix, a rank; None when they are a share of the memory."""
    if state.slots is not None:
        return state.slots // state.dp_size
    if not state.radix_cache and state.running is not None:
        return _rank_running(rules, state)
    return None if state.radix_cache or rules.mamba_radix_off_needs_running else 512 // state.dp_size


def _shared(rules: Sizing, rest: float, state: State) -> Division:
    slots = _given(rules, state)
    if state.draft_tokens is not None and (slots is None or rules.mamba == "share, less drafts"):
        running = (state.running or 0) // (state.dp_size if rules.mamba == "share, less drafts" else 1)
        rest -= state.bytes_per_request * running * state.draft_tokens / GIB
    if slots is None:
        slots = int(_share_bytes(rest, state) // state.bytes_per_request)
    return Division(slots, rest - slots * state.bytes_per_request / GIB)


def _joint(rules: Sizing, rest: float, state: State) -> Division:
    extra = 1 if rules.mamba_extra_slot else 0
    size, drafts = state.bytes_per_request, state.draft_tokens
    slots = _given(rules, state)
    capped = slots if state.slots is None else None
    if slots is None and drafts is not None:
        budget = _share_bytes(rest, state) - extra * size * (1 + drafts)
        slots = int(budget // (size * (1 + drafts / per_request(rules, state))))
    elif slots is None:
        slots = int((_share_bytes(rest, state) - extra * size) // size)
    if drafts is not None:
        if capped is None:
            capped = min(_rank_running(rules, state), slots // per_request(rules, state))
        rest -= size * (capped + extra) * drafts / GIB
    return Division(slots, rest - (slots + extra) * size / GIB)


def running_limit(release: str, division: Division, state: State) -> int:
    """The most requests that the state slots let run, a rank."""
    rules = sizing(release)
    limit = division.slots // per_request(rules, state)
    if rules.mamba_running_divided and state.draft_tokens is not None and state.running is not None:
        limit = min(limit, state.running // state.dp_size)
    return limit


def per_request(rules: Sizing, state: State) -> int:
    """State slots that one running request needs: one without a radix cache."""
    if rules.mamba == "slots" or not state.radix_cache:
        return 1
    return state.slots_per_request or rules.mamba_slots_per_request


def refusal(release: str, division: Division, state: State) -> str | None:
    """The beginning of what a release says when states leave nothing to serve with; None when it starts, or is silent.

    Before 0.5.13 such a start goes on and fails elsewhere.
    """
    if sizing(release).mamba != "joint":
        return None
    if division.slots <= 0:
        return "Not enough GPU memory for hybrid (mamba/linear-attention) state cache."
    limit = running_limit(release, division, state)
    if state.running is not None:
        limit = min(limit, _rank_running(sizing(release), state))
    if limit <= 0:
        return "Hybrid (mamba/linear-attention) state cache is too small to serve any requests."
    return None
