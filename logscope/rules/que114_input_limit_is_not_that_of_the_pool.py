"""The limit of inputs is not that of this pool and context.

What it says
    The limit in `Input length … exceeds the maximum allowed length` is not min(context, pool) − 6.

Why it matters
    The limit tells the pool: another number means a refusal of another start, or a pool that was sized again.

Example
    Limit 594 with a pool of 20,000 and a context of 2,048.

Silent when
    The model has several pools, the rank printed no capacity line, the release is older than 0.4.2, or the limit
    fits.

Source
    `TpModelWorker.__init__` (max_req_input_len).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import limits, long_inputs
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "request_refused", _of)


def _of(rank: Rank) -> Finding | None:
    limits.whole(rank)
    if not rank.launch.release.since("0.4.2"):
        raise NotApplicable("older releases have another limit")
    pool, context = limits.pool(rank), limits.context(rank)
    rows = long_inputs.refused(rank)
    wanted = min(pool.value, context.value) - 6
    other = [row for row in rows if abs(row["limit_tokens"] - wanted) > limits.page(rank.launch)]
    if not other:
        return None
    return compared(
        f"Inputs are refused above {other[0]['limit_tokens']:,} tokens; a pool of {pool.value:,.0f} and a context of {context.value:,.0f} give {wanted:,.0f}.",
        other[0].quantity("limit_tokens"),
        wanted,
        "min(max_total_num_tokens, context_len) − 6",
        pool.line,
    )
