"""One start of a rank has two capacity lines with different pools.

What it says
    A rank prints max_total_num_tokens twice within one launch, with different numbers and no load in between.

Why it matters
    A scheduler prints it once: the starts of two servers, or of replicas without names, are mixed.

Example
    max_total_num_tokens=423034, later 312581, both TP0.

Silent when
    One capacity line, equal numbers, several replicas, or a sizing after the capture.

Source
    `Scheduler.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.size(rank.launch, "dp_size") > 1 and "DP" not in rank.name:
        raise NotApplicable("replicas print without a name")
    if (
        any(str(row.get("kind", "")).startswith("post_capture") for row in rank.rows("kv_pool"))
        or len(rank.launch.pieces) > 1
    ):
        raise NotApplicable("the pool is sized again, or inputs are joined")
    rows = [row for row in rank.rows("capacity") if row.get("max_total_num_tokens") is not None]
    if not rows:
        raise FactMissing(f"{rank.name} printed no capacity line")
    other = [row for row in rows if row["max_total_num_tokens"] != rows[0]["max_total_num_tokens"]]
    if not other:
        return None
    return compared(
        f"{rank.name} has a pool of {rows[0]['max_total_num_tokens']:,} tokens and, in the same start, one of {other[0]['max_total_num_tokens']:,}.",
        other[0].quantity("max_total_num_tokens"),
        float(rows[0]["max_total_num_tokens"]),
        "the capacity line before",
        rows[0].ref,
    )
