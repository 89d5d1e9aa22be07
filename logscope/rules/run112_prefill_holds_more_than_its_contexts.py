"""The requests of a prefill are longer than the context.

What it says
    new + cached tokens exceed the number of new requests times the context.

Why it matters
    No request is longer than the context. The capacity line or the prefill line belongs to another server.

Example
    #new-seq: 1, #new-token: 512, #cached-token: 7680 at a context of 2,048.

Silent when
    No capacity line of this rank, or every prefill fits.

Source
    `log_prefill_stats` (0.5.10 and later `metrics_reporter.py`).
"""

from __future__ import annotations

import numpy as np

from logscope.facts import batches, limits
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared, judged
from logscope.wording import several

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "prefill_batch", _of)


def _of(rank: Rank) -> Finding | None:
    context = limits.context(rank)
    total = batches.column(rank, "prefill_batch", "new_tokens") + batches.column(rank, "prefill_batch", "cached_tokens")
    requests = batches.column(rank, "prefill_batch", "new_sequences")
    most = (requests + 1) * (context.value + limits.page(rank.launch))
    over = np.flatnonzero((total > most) & (requests > 0))
    if not over.size:
        return None
    place = int(over[0])
    row = batches.row(rank, "prefill_batch", place)
    return compared(
        f"{several(row['new_sequences'], 'request')} with {total[place]:,.0f} tokens, prefixes included, and a context has {context.value:,.0f}.",
        Quantity.exact("prefix_and_new_tokens", float(total[place]), "tokens", line=row.ref, rank=rank.name),
        at_most(float(most[place])),
        "(#new-seq + 1) · (context_len + page_size)",
        context.line,
    )
