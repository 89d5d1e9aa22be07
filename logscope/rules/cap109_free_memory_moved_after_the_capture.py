"""Free memory moved between the capture and the capacity line.

What it says
    The capacity line shows more free memory than the last capture left, or half a GiB less.

Why it matters
    More: another process gave memory back. Less: something was allocated and is held (a cache, workspaces), which
    comes out of the room for activations.

Example
    9.10 GB after the capture, 12.40 GB at the capacity line.

Silent when
    A line is missing, the device shares the host's memory, the pool is sized after the capture, or it keeps within
    -0.5 and +0.3 GiB.

Source
    `Scheduler.__init__` (available_gpu_mem).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.shared_memory(rank.launch) or any(
        str(row.get("kind", "")).startswith(("post", "upper")) for row in rank.rows("kv_pool")
    ):
        raise NotApplicable("the memory is the machine's, or the pool is sized after the capture")
    ready, after = memory.available_at_ready(rank), memory.available_after_graphs(rank)
    moved = ready.interval - after.interval
    if -0.5 <= moved.mid <= 0.3:
        return None
    return compared(
        f"{ready.value:.2f} GiB are free at the capacity line and {after.value:.2f} GiB were after the last capture.",
        ready,
        after.interval,
        "avail mem after the last capture",
        after.line,
    )
