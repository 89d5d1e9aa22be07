"""The pool changed between its allocation and the capacity line.

What it says
    The tokens of the one KV pool line differ from max_total_num_tokens, and nothing sized it again.

Why it matters
    Only a sizing after the capture may change it. The two lines belong to different starts or ranks.

Example
    #tokens: 423034 and max_total_num_tokens=312581.

Silent when
    The pool was sized after the capture, several pools or a draft are printed, or the numbers agree.

Source
    `ModelRunner.init_memory_pool`, `Scheduler.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import limits, memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "kv_pool", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    rows = [
        row
        for row in rank.rows("kv_pool")
        if row.get("tokens") is not None and row.get("kind") not in ("profiled", "below_context")
    ]
    if any(row.get("kind") != "allocated" or row.get("label") for row in rows):
        raise NotApplicable("the pool has parts, or was sized after the capture")
    if settings.size(rank.launch, "pp_size") > 1:
        raise NotApplicable("the least of all stages counts")
    if len(rows) != 1 or len(memory.loads(rank)) > 1:
        raise FactMissing(f"{rank.name} printed {len(rows)} pools; one is needed")
    pool = limits.pool(rank)
    if rows[0]["tokens"] == pool.value:
        return None
    return compared(
        f"The pool was made for {rows[0]['tokens']:,} tokens, and the capacity line says {pool.value:,.0f}.",
        pool,
        float(rows[0]["tokens"]),
        "tokens of the KV pool line",
        rows[0].ref,
    )
