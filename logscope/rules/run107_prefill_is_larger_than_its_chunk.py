"""A prefill is larger than its chunk.

What it says
    The new tokens of a prefill line exceed chunked_prefill_size plus a page a request.

Why it matters
    The scheduler cuts a prefill at the chunk. The capacity line belongs to another start, or another setting was in
    force.

Example
    #new-token: 9000 with a chunk of 8192.

Silent when
    Chunking is off, pipeline stages choose their chunk, decode tokens are mixed in, or every prefill fits.

Source
    `PrefillAdder`, `Scheduler.get_new_batch_prefill`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "prefill_batch", _of)


def _of(rank: Rank) -> Finding | None:
    chunk = limits.chunk(rank)
    launch = rank.launch
    if (
        settings.size(launch, "pp_size") > 1
        or settings.set_to(launch, "enable_mixed_chunk")
        or settings.set_to(launch, "enable_dynamic_chunking")
    ):
        raise NotApplicable("the chunk is not fixed here")
    tokens = batches.column(rank, "prefill_batch", "new_tokens")
    requests = batches.column(rank, "prefill_batch", "new_sequences")
    most = chunk.value + limits.page(launch) * (requests + 1)
    over = np.flatnonzero(tokens > most)
    if not over.size:
        return None
    place = int(over[0])
    row = batches.row(rank, "prefill_batch", place)
    return compared(
        f"A prefill has {row['new_tokens']:,} new tokens and the chunk is {chunk.value:,.0f}: {over.size:,} of {len(tokens):,} prefill lines.",
        row.quantity("new_tokens"),
        at_most(float(most[place])),
        "chunked_prefill_size + page_size · (#new-seq + 1)",
        chunk.line,
    )
