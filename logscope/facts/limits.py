"""The limits that a scheduler works with: its pool, its requests, its context, its chunk.

Source: the capacity line (`max_total_num_tokens=…`), which the first rank of each replica prints. Where a launch prints
it twice with different numbers, none of them is taken.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts.batches import printed
from logscope.facts.settings import size
from logscope.launch import Launch, Rank
from logscope.quantity import Quantity

_PARTS = ("full_token_usage_share", "swa_token_usage_share", "mamba_usage_share", "gpu_token_usage_share")


def pool(rank: Rank) -> Quantity:
    """Tokens of the rank's KV pool."""
    return _limit(rank, "max_total_num_tokens")


def running(rank: Rank) -> Quantity:
    """The most requests that may run at once."""
    return _limit(rank, "max_running_requests")


def context(rank: Rank) -> Quantity:
    """The longest sequence in tokens."""
    return _limit(rank, "context_len")


def chunk(rank: Rank) -> Quantity:
    """Tokens of a prefill chunk; raises NotApplicable where chunking is off."""
    found = _limit(rank, "chunked_prefill_size")
    if found.value <= 0:
        raise NotApplicable("chunked prefill is off")
    return found


def _limit(rank: Rank, name: str) -> Quantity:
    rows = [row for row in rank.rows("capacity") if row.get(name) is not None]
    if not rows:
        raise FactMissing(f"{rank.name} printed no {name}")
    if len({row[name] for row in rows}) > 1:
        raise FactMissing(f"{rank.name} printed different values of {name}")
    return rows[-1].quantity(name)


def page(launch: Launch) -> int:
    """Tokens of a page; 1 where no dump sets it."""
    return size(launch, "page_size")


def whole(rank: Rank) -> None:
    """Raises NotApplicable for a model with several pools, whose batch lines print a usage for each."""
    if any(printed(rank, name, part) for name in ("decode_batch", "prefill_batch") for part in _PARTS):
        raise NotApplicable("the model has several pools, each with its own usage")
    if rank.rows("state_pool") or any(row.get("kind") == "split" for row in rank.rows("kv_pool")):
        raise NotApplicable("the model has several pools")
