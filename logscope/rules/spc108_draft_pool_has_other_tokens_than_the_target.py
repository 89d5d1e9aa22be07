"""The pool of the draft has another number of tokens than the target.

What it says
    The second KV pool of a rank with a draft model holds another number of tokens.

Why it matters
    A draft keeps keys and values for the very tokens of the target: the pools are equal in tokens, and are not
    added. Another number belongs to another start.

Example
    Target 400,000 tokens, draft 210,000.

Silent when
    No draft, windows or states that split a pool, sizing after the capture, releases before 0.5.0, or equal pools.

Source
    `EAGLEWorker.__init__`: the draft runner takes max_total_num_tokens of the target.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import limits, memory
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """Both pools of the first rank that differs."""
    return judged(launch, "kv_pool", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    limits.whole(rank)
    if len(memory.loads(rank)) != 2:
        raise FactMissing(f"{rank.name} loaded no draft model")
    if not launch.release.since("0.5.0"):
        raise NotApplicable("the draft's pool was larger by what speculation adds")
    rows = [row for row in rank.rows("kv_pool") if row.get("kind") == "allocated" and row.get("tokens") is not None]
    if len(rows) != 2:
        raise FactMissing(f"{rank.name} printed {len(rows)} pools; two are compared")
    target, draft = rows
    if target["tokens"] == draft["tokens"]:
        return None
    return compared(
        f"The draft's pool holds {draft['tokens']:,} tokens and the target's {target['tokens']:,}.",
        draft.quantity("tokens"),
        float(target["tokens"]),
        "the draft holds the tokens of the target",
        target.ref,
    )
