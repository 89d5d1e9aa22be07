"""The pool of the MLX backend on Apple silicon, which follows a rule of its own and never refuses to start.

Source: `hardware_backend/mlx/model_runner.py` (`_compute_pool_size`), 0.5.11 and later.
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import NotApplicable
from logscope.quantity import Interval
from logscope.sglang.shape import Shape
from logscope.sglang.sizing import sizing

FEWEST_SLOTS = 256
PRIVATE_TOKENS = 4096  # every running request owns contiguous buffers of at least so many tokens, beside the pool


@dataclass(frozen=True, slots=True)
class Memory:
    """What the rule reads (bytes): available on the host now, Metal's working-set limit, active memory of MLX."""

    available: int
    limit: int
    used: int


def _require(release: str) -> str:
    rule = sizing(release).mlx
    if rule in ("none", "context"):
        raise NotApplicable(f"SGLang {release} does not size the MLX pool by memory")
    return rule


def slot_bytes(release: str, shape: Shape, element: int = 2) -> int:
    """Bytes a token: all layers up to 0.5.12, layers with attention up to 0.5.17, full attention later."""
    rule = _require(release)
    layers = shape.layers if rule == "all layers" else shape.layers - shape.state_layers
    if rule == "full attention layers":
        layers = shape.full_layers or layers
    return 2 * layers * shape.kv_heads * shape.head_dim * element


def budget_bytes(release: str, memory: Memory, fraction: float) -> int:
    """The budget of the pool (bytes): the smaller of two shares, one of the limit and one of what is available."""
    _require(release)
    return min(max(int(memory.limit * fraction) - memory.used, 0), int(memory.available * fraction))


def pool_slots(release: str, memory: Memory, fraction: float, *, slot: int, max_total_tokens: int | None = None) -> int:
    """The pool (tokens); --max-total-tokens replaces it altogether, and 256 is the least."""
    if max_total_tokens is not None:
        _require(release)
        return max_total_tokens
    return max(budget_bytes(release, memory, fraction) // slot, FEWEST_SLOTS)


def budget_gib(available: Interval, limit: Interval, used: Interval, fraction: Interval) -> Interval:
    """The budget (GiB) from intervals, as printed values give them."""
    by_limit = limit * fraction - used
    by_limit = Interval(max(by_limit.lo, 0.0), max(by_limit.hi, 0.0))
    by_host = available * fraction
    return Interval(min(by_limit.lo, by_host.lo), min(by_limit.hi, by_host.hi))


def binds(available: Interval, limit: Interval, used: Interval, fraction: Interval) -> str:
    """Which share is the smaller: "available", "limit", or "either" when the intervals do not tell."""
    by_limit, by_host = limit * fraction - used, available * fraction
    if by_host.hi < by_limit.lo:
        return "available"
    return "limit" if by_limit.hi < by_host.lo else "either"


def private_bytes(running: int, slot: int) -> int:
    """The least that running requests hold outside pool and budget (bytes)."""
    return running * PRIVATE_TOKENS * slot
