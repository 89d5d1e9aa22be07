"""Device memory of a rank at start-up, as printed: before the weights, after them, after the pools, after the graphs.

Source: `Load weight begin/end`, `KV Cache is allocated`, `Memory pool end`, `Capture … graph`, `max_total_num_tokens=`.
All are GiB that SGLang labels GB. Lines of a draft worker come in the order of the log; the first pair is the target's.
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.launch import Rank, Row
from logscope.quantity import LineRef, Quantity


@dataclass(frozen=True, slots=True)
class Load:
    """One model loaded by a rank: its two lines."""

    begin: Row
    end: Row


def loads(rank: Rank) -> list[Load]:
    """The completed loads of a rank in order: target, then draft."""
    found: list[Load] = []
    begin: Row | None = None
    for row in rank.rows("load_weight"):
        if row["kind"] == "begin":
            begin = row
        elif row["kind"] == "end" and begin is not None:
            found.append(Load(begin, row))
            begin = None
    return found


def _target(rank: Rank) -> Load:
    found = loads(rank)
    if not found or _torn(rank):
        raise FactMissing(f"{rank.name} printed no complete pair of Load weight lines for its first model")
    return found[0]


def _torn(rank: Rank) -> bool:
    """Whether the log begins behind the first `Load weight begin`: the next pair is another model's."""
    rows = rank.rows("load_weight")
    return bool(rows) and rows[0]["kind"] == "end"


def available_before_load(rank: Rank) -> Quantity:
    """Free memory before the target's weights, GiB: printed, or what is free after them and what they took."""
    rows = rank.rows("load_weight")
    if _torn(rank):
        usage = rows[0].quantity("avail_mem_gib").interval + rows[0].quantity("mem_usage_gib").interval
        return Quantity(
            "avail_before_load", usage.mid, usage, "GiB", rows[0].ref, "computed", rank.name, "avail mem + mem usage"
        )
    for row in rows:
        if row["kind"] == "begin":
            return row.quantity("avail_mem_gib", "avail_before_load")
    raise FactMissing(f"{rank.name} printed no Load weight begin line")


def available_after_target(rank: Rank) -> Quantity:
    """Free memory after the target's weights, GiB."""
    for row in rank.rows("load_weight"):
        if row["kind"] == "end":
            return row.quantity("avail_mem_gib", "avail_after_target")
    raise FactMissing(f"{rank.name} printed no Load weight end line")


def available_after_load(rank: Rank) -> Quantity:
    """Free memory from which the pools are sized, GiB: after all weights that are loaded before the first pool.

    From 0.5.14 on a draft's weights are among them, before that a draft is loaded after the target's pool.
    """
    after = available_after_target(rank).named("avail_after_load")
    for load in loads_before_pool(rank)[1:]:
        if load.end.get("avail_mem_gib") is not None:
            after = load.end.quantity("avail_mem_gib", "avail_after_load")
    return after


def loads_before_pool(rank: Rank) -> list[Load]:
    """The completed loads of a rank that stand before its first pool; all of them where it has none."""
    pool = [row.ref for name in ("kv_pool", "state_pool", "memory_pool_end") for row in rank.rows(name)[:1]]
    return [load for load in loads(rank) if not any(_behind(load.end.ref, ref) for ref in pool)]


def _behind(one: LineRef, other: LineRef) -> bool:
    return one.path == other.path and one.line > other.line


def weights(rank: Rank) -> Quantity:
    """Weights of the target and whatever else was allocated meanwhile: free before − free after, GiB."""
    load = _target(rank)
    interval = load.begin.quantity("avail_mem_gib").interval - load.end.quantity("avail_mem_gib").interval
    return Quantity.computed("weights", interval, "GiB", "avail_before_load − avail_after_load", rank.name)


def weights_printed(rank: Rank) -> Quantity:
    """The `mem usage` of the target's Load weight end line, GiB."""
    return _target(rank).end.quantity("mem_usage_gib", "weights")


def draft_weights(rank: Rank) -> Quantity:
    """Weights of the draft model, GiB."""
    found = loads(rank)
    if len(found) < 2:
        raise FactMissing(f"{rank.name} loaded no second model")
    interval = found[1].begin.quantity("avail_mem_gib").interval - found[1].end.quantity("avail_mem_gib").interval
    return Quantity.computed(
        "draft_weights", interval, "GiB", "avail_before_load − avail_after_load (draft)", rank.name
    )


def pool_end(rank: Rank) -> Quantity:
    """Free memory after the target's pools, GiB."""
    for row in rank.rows("memory_pool_end"):
        return row.quantity("avail_mem_gib", "avail_after_pool")
    raise FactMissing(f"{rank.name} printed no Memory pool end line")


def graph_memory(rank: Rank) -> Quantity:
    """Memory that all captured graphs took, GiB: the sum of the printed usages."""
    ends = [
        row for row in rank.rows("graph_capture") if row.get("kind") == "end" and row.get("mem_usage_gib") is not None
    ]
    if not ends:
        raise FactMissing(f"{rank.name} printed no capture with its memory usage")
    total = ends[0].quantity("mem_usage_gib").interval
    for row in ends[1:]:
        total = total + row.quantity("mem_usage_gib").interval
    return Quantity.computed("graph_memory", total, "GiB", "Σ mem usage of all captures", rank.name)


def available_after_graphs(rank: Rank) -> Quantity:
    """Free memory after the last capture, GiB."""
    for row in reversed(rank.rows("graph_capture")):
        if row.get("kind") == "end" and row.get("avail_mem_gib") is not None:
            return row.quantity("avail_mem_gib", "avail_after_graphs")
    raise FactMissing(f"{rank.name} printed no capture with its free memory")


def available_at_ready(rank: Rank) -> Quantity:
    """Free memory on the capacity line, GiB."""
    for row in reversed(rank.rows("capacity")):
        if row.get("avail_mem_gib") is not None:
            return row.quantity("avail_mem_gib", "avail_at_ready")
    raise FactMissing(f"{rank.name} printed no capacity line with free memory")
