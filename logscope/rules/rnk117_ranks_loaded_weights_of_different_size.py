"""Ranks loaded weights of different size.

What it says
    `mem usage` of the first load differs by more than a tenth and half a GiB among the tensor-parallel ranks.

Why it matters
    Shards of one model are alike: another process allocated or ended on one device meanwhile, or experts are spread
    unevenly. The largest one sizes the pool of all.

Example
    TP0: 15.00 GB, TP3: 18.20 GB.

Silent when
    One rank, stages, or they differ by less.

Source
    `ModelRunner.load_model`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch, Row
from logscope.rules._compared import compared

SEVERITY = "note"
KIND = "smell"
_LEAST_GIB = 0.5


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if settings.size(launch, "pp_size") > 1:
        raise NotApplicable("stages hold different layers")
    rows: dict[str, Row] = {}
    for row in launch.rows("load_weight"):
        if row.get("kind") == "end" and row.get("mem_usage_gib") is not None and "TP" in row.rank:
            rows.setdefault(row.rank, row)
    if len(rows) < 2:
        raise FactMissing("fewer than two ranks print the memory of their weights")
    least = min(rows.values(), key=lambda row: float(row["mem_usage_gib"]))
    most = max(rows.values(), key=lambda row: float(row["mem_usage_gib"]))
    if most["mem_usage_gib"] - least["mem_usage_gib"] <= max(_LEAST_GIB, 0.1 * most["mem_usage_gib"]):
        return None
    return compared(
        f"The weights take {most['mem_usage_gib']:.2f} GiB on {most.rank} and {least['mem_usage_gib']:.2f} GiB on {least.rank}.",
        most.quantity("mem_usage_gib"),
        least.quantity("mem_usage_gib").interval,
        "weights of another rank",
        least.ref,
    )
