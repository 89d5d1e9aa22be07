"""Ranks begin with unequal memory and the start went on.

What it says
    The least free memory before the weights is below nine tenths of the most, and the server was not refused for
    it.

Why it matters
    The check that refuses it was switched off, or the release has none. The smallest rank sizes the pool of all.

Example
    28.50 and 78.60 GB before the weights, then a pool.

Silent when
    The server was refused for it, one rank, or they are alike.

Source
    `get_available_gpu_memory` (the imbalance check, 0.2.14 and later).
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.finding import Finding
from logscope.launch import Launch, Row
from logscope.rules._compared import at_least, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if launch.has("imbalance"):
        raise NotApplicable("the server refused the start for it")
    rows = [
        row for row in launch.rows("load_weight") if row.get("kind") == "begin" and row.get("avail_mem_gib") is not None
    ]
    if len({row.rank for row in rows}) < 2 or not launch.has("kv_pool", "capacity"):
        raise FactMissing("fewer than two ranks came as far as their pools")
    firsts: dict[str, Row] = {}
    for row in rows:
        firsts.setdefault(row.rank, row)
    least = min(firsts.values(), key=lambda row: float(row["avail_mem_gib"]))
    most = max(firsts.values(), key=lambda row: float(row["avail_mem_gib"]))
    if least["avail_mem_gib"] >= 0.9 * most["avail_mem_gib"]:
        return None
    return compared(
        f"{least.rank} began with {least['avail_mem_gib']:.2f} GiB and {most.rank} with {most['avail_mem_gib']:.2f} GiB, and the start went on.",
        least.quantity("avail_mem_gib"),
        at_least(0.9 * most["avail_mem_gib"]),
        "nine tenths of the most",
        most.ref,
    )
