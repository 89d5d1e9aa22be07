"""The KV pool of a rank: its tokens, its bytes, the bytes of a token.

Source: `KV Cache is allocated`, `Auto-sized … KV pool` (MLX), `max_total_num_tokens=`. Address space that is only
reserved (`VA upper bound`) is no memory; after a post-capture sizing its line is the one that counts.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.launch import Rank, Row
from logscope.quantity import Interval, Quantity


def tokens(rank: Rank) -> Quantity:
    """Capacity of the rank in tokens: the last capacity line, else the MLX sizing, else the pool's own line."""
    for row in reversed(rank.rows("capacity")):
        if row.get("max_total_num_tokens") is not None:
            return row.quantity("max_total_num_tokens")
    for row in rank.rows("mlx_pool"):
        if row.get("pool_size_tokens") is not None:
            return row.quantity("pool_size_tokens", "max_total_num_tokens")
    for row in reversed(_allocated(rank)):
        if row.get("tokens") is not None:
            return row.quantity("tokens", "max_total_num_tokens")
    raise FactMissing(f"{rank.name} printed no capacity of its KV pool")


def _allocated(rank: Rank) -> list[Row]:
    rows = rank.rows("kv_pool")
    final = [row for row in rows if row.get("kind") == "post_capture"]
    return final or [row for row in rows if row.get("kind") == "allocated"]


def size(rank: Rank) -> Quantity:
    """Bytes of the KV pool in GiB: keys and values of the target's pool, as printed."""
    for row in rank.rows("mlx_pool"):
        if row.get("kv_budget_gib") is not None:
            return row.quantity("kv_budget_gib", "kv_pool")
    rows = _target_rows(rank)
    if not rows:
        raise FactMissing(f"{rank.name} printed no size of its KV pool")
    total = _size(rows[0])
    for row in rows[1:]:
        total = total + _size(row)
    if len(rows) == 1 and rows[0].get("kv_gib") is not None:
        return rows[0].quantity("kv_gib", "kv_pool")
    return Quantity("kv_pool", total.mid, total, "GiB", rows[0].ref, "printed", rank.name)


def draft_size(rank: Rank) -> Quantity:
    """Bytes of the draft's KV pool in GiB: of the pools that are made behind the target's `Memory pool end`."""
    target = {row.ref for row in _target_rows(rank)}
    rows = [row for row in _allocated(rank) if row.ref not in target and row.get("kind") != "post_capture"]
    if not rows:
        raise FactMissing(f"{rank.name} printed no pool of a draft")
    total = sum((_size(row) for row in rows), start=Interval.exact(0))
    return Quantity("draft_pool", total.mid, total, "GiB", rows[0].ref, "printed", rank.name)


def _target_rows(rank: Rank) -> list[Row]:
    """The pool lines before the first `Memory pool end`: a draft worker's pool comes after it."""
    rows = _allocated(rank)
    ends = rank.rows("memory_pool_end")
    if ends and rows and rows[0].get("kind") != "post_capture":
        rows = [row for row in rows if row.ref.path != ends[0].ref.path or row.ref.line < ends[0].ref.line] or rows
    return rows


def _size(row: Row) -> Interval:
    if row.get("kv_gib") is not None:
        return row.quantity("kv_gib").interval
    return row.quantity("k_gib").interval + row.quantity("v_gib").interval


def state_size(rank: Rank) -> Quantity:
    """The state pool (mamba, linear attention) in GiB: the sum of its printed parts."""
    rows = [row for row in rank.rows("state_pool") if any(row.get(name) is not None for name in _STATE)]
    if not rows:
        raise FactMissing(f"{rank.name} printed no size of a state pool")
    total = Interval.exact(0)
    for name in _STATE:
        if rows[0].get(name) is not None:
            total = total + rows[0].quantity(name).interval
    return Quantity("state_pool", total.mid, total, "GiB", rows[0].ref, "printed", rank.name)


_STATE = ("conv_state_gib", "ssm_state_gib", "intermediate_ssm_state_gib", "intermediate_conv_window_gib")


def bytes_per_token(rank: Rank) -> Quantity:
    """Bytes that one token takes on this rank: printed (MLX) or size ÷ (tokens + one page)."""
    for row in rank.rows("mlx_pool"):
        if row.get("bytes_per_slot") is not None:
            return row.quantity("bytes_per_slot", "bytes_per_token")
    rows = [row for row in _target_rows(rank) if row.get("tokens") is not None]
    if len(rows) != 1:
        raise FactMissing(f"{rank.name} printed {len(rows)} pools with their tokens; one is needed to divide")
    slots = Interval(rows[0]["tokens"], rows[0]["tokens"] + 64)
    interval = _size(rows[0]) * float(1 << 30) / slots
    if interval.lo <= 0:
        raise FactMissing(f"{rank.name}: the printed size of the pool is too small to divide")
    return Quantity.computed("bytes_per_token", interval, "bytes", "kv_pool · 2³⁰ ÷ (tokens + page_size)", rank.name)
