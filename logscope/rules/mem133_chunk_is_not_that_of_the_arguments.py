"""The prefill chunk in force is not that of the arguments.

What it says
    chunked_prefill_size of the capacity line is not the value of the dump, nor that value divided among replicas or
    rounded to pages.

Why it matters
    The capacity line and the dump belong to different starts, or the server changed the chunk for this model.

Example
    chunked_prefill_size=8192 beside 2048.

Silent when
    Chunking is off in either, the releases that change it for images, or they agree.

Source
    `Scheduler.__init__`, `ServerArgs.__post_init__`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    asked = settings.number(launch, "chunked_prefill_size", "tokens")
    chunk = limits.chunk(rank)
    page, replicas = limits.page(launch), settings.size(launch, "dp_size")
    allowed = {asked.value, asked.value // replicas, asked.value // 2 if replicas > 1 else asked.value}
    if asked.value <= 0:
        raise NotApplicable("chunked prefill is off")
    if any(abs(chunk.value - value) < page for value in allowed):
        return None
    return compared(
        f"The capacity line says a chunk of {chunk.value:,.0f} tokens, the arguments {asked.value:,.0f}.",
        chunk,
        asked.interval,
        "chunked_prefill_size of the arguments",
        asked.line,
    )
