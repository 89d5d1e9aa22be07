"""The memory left at the end is below what one chunk of prefill needs.

What it says
    available_gpu_mem is less than half a MiB for each token of a prefill chunk.

Why it matters
    The reserve of the automatic fraction counts 1.5 MiB a token; below a third of that the first long prompt ends
    the server, however empty the pool is. A smaller chunk comes first, then a smaller fraction.

Example
    1.20 GB left with a chunk of 8192 tokens: 4 GiB are needed.

Silent when
    Chunking is off, the line prints no free memory, the device shares the host's memory, or more is left.

Source
    `ServerArgs._handle_gpu_memory_settings` (the reserve for activations).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import limits, memory, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"
_MIB_A_TOKEN = 0.5


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    if settings.shared_memory(rank.launch):
        raise NotApplicable("the memory is the machine's")
    chunk, left = limits.chunk(rank), memory.available_at_ready(rank)
    need = _MIB_A_TOKEN * chunk.value / 1024
    if left.interval.hi >= need:
        return None
    return compared(
        f"{left.value:.2f} GiB are left for a prefill of {chunk.value:,.0f} tokens, which needs about {need:.1f} GiB.",
        left,
        at_least(need),
        "0.5 MiB · chunked_prefill_size",
        chunk.line,
    )
