"""Ranks of one group have pools of different size.

What it says
    The tokens of the first KV pool line differ among the tensor-parallel ranks of one replica and stage.

Why it matters
    All ranks take the least of their budgets: the lines belong to different starts, or are those of replicas.

Example
    TP0: 423,034 tokens, TP1: 312,581 tokens.

Silent when
    One rank, stages before 0.5.2, replicas without a name, several pools, or equal pools.

Source
    `ModelRunner.profile_max_num_token` (all-reduce of the minimum).
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch, Row
from logscope.rules._compared import compared

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if settings.size(launch, "pp_size") > 1 and not launch.release.since("0.5.2"):
        raise NotApplicable("stages size their pools alone before 0.5.2")
    groups: dict[str, list[Row]] = {}
    counts: set[int] = set()
    for name in launch.ranks:
        rows = [
            row
            for row in launch.rank(name).rows("kv_pool")
            if row.get("kind") == "allocated" and row.get("tokens") is not None
        ]
        counts.add(len(rows) or 1)
        if rows and "TP" in name and not rows[0].get("label"):
            group = " ".join(part for part in name.split() if part.startswith(("DP", "PP", "ATTN_DP")))
            groups.setdefault(group, []).append(rows[0])
    several = [rows for rows in groups.values() if len(rows) > 1]
    if not several or len(counts) > 1 or (settings.size(launch, "dp_size") > 1 and "" in groups):
        raise FactMissing("fewer than two ranks of one replica print their pool")
    for rows in several:
        other = [row for row in rows if row["tokens"] != rows[0]["tokens"]]
        if other:
            return compared(
                f"{other[0].rank} has a pool of {other[0]['tokens']:,} tokens and {rows[0].rank} one of {rows[0]['tokens']:,}.",
                other[0].quantity("tokens"),
                float(rows[0]["tokens"]),
                "the least budget of all ranks",
                rows[0].ref,
            )
    return None
