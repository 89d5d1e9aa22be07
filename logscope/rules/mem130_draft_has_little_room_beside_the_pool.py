"""The draft model has little room beside the pool.

What it says
    Up to 0.5.13 the draft is loaded after the target's pool, outside the budget; less than 1 GiB is left after its
    weights and pool.

Why it matters
    The graphs and every forward need more than that. A smaller fraction makes room; the budget of the target was
    never the problem.

Example
    2.10 GB free at the end of the pool, a draft of 1.49 GB.

Silent when
    No draft, a release that counts it (0.5.14 and later) or an open one, or there is room.

Source
    `EAGLEWorker.__init__`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import memory
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Quantity
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "load_weight", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if not launch.release.until("0.5.13.post1"):
        raise NotApplicable("the draft is counted in the budget, or the release is not known")
    end = memory.pool_end(rank)
    took = memory.draft_weights(rank)
    left = end.interval - took.interval
    draft = [row for row in rank.rows("kv_pool") if row.get("kind") == "allocated"][1:]
    for row in draft:
        for name in ("k_gib", "v_gib", "kv_gib"):
            if row.get(name) is not None:
                left = left - row.quantity(name).interval
    if left.hi >= 1.0:
        return None
    observed = Quantity("left_after_draft", left.mid, left, "GiB", end.line, "computed", rank.name)
    return compared(
        f"{end.value:.2f} GiB were free after the target's pool, and {left.mid:.2f} GiB after the draft: it is loaded outside the budget.",
        observed,
        at_least(1.0),
        "room for graphs and activations",
        *[load.end.ref for load in memory.loads(rank)[1:]],
    )
