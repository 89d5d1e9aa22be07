"""Free memory moved between the end of the pool and the capture.

What it says
    The first capture begins with more free memory than the pool left, or with more than 1 GiB less.

Why it matters
    More: something was given back after the pool was sized (a draft's copy of the embeddings from 0.5.14 on), so
    the pool is smaller than it could be. Less: workspaces of attention or communication that the fraction does not
    count.

Example
    0.29 GB at the end of the pool, 2.12 GB when the capture begins.

Silent when
    A draft is loaded in between, a line is missing, the device shares the host's memory, or it keeps within -1.0
    and +0.3 GiB.

Source
    `ModelRunner.init_attention_backend`; the draft's duplicate of embeddings and head.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import captures, memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "graph_capture", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if settings.shared_memory(launch) or (len(memory.loads(rank)) > 1 and launch.release.until("0.5.13.post1")):
        raise NotApplicable("other things are loaded in between, or the memory is the machine's")
    end = rank.rows("memory_pool_end")
    if not end:
        raise FactMissing(f"{rank.name} printed no Memory pool end line")
    pool, begin = end[-1].quantity("avail_mem_gib"), captures.captures(rank)[0].begin.quantity("avail_mem_gib")
    moved = begin.interval - pool.interval
    if -1.0 <= moved.mid <= 0.3:
        return None
    way = (
        "more than the pool left: something was given back after the pool was sized"
        if moved.mid > 0
        else "less than the pool left: workspaces took it"
    )
    return compared(
        f"{begin.value:.2f} GiB are free when the capture begins, {abs(moved.mid):.2f} GiB {way}.",
        begin,
        pool.interval,
        "avail mem of Memory pool end",
        pool.line,
    )
