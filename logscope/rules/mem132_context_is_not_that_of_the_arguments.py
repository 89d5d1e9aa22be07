"""The context in force is not that of the arguments.

What it says
    context_len of the capacity line differs from the context_length that the dump sets.

Why it matters
    The capacity line and the dump belong to different starts.

Example
    context_length=32768 beside context_len=40960.

Silent when
    The context is left to the model, or they agree.

Source
    `ModelConfig`, `Scheduler.__init__`.
"""

from __future__ import annotations

from logscope.facts import limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    asked = settings.number(rank.launch, "context_length", "tokens")
    context = limits.context(rank)
    if asked.value == context.value:
        return None
    return compared(
        f"The capacity line says a context of {context.value:,.0f} tokens, the arguments {asked.value:,.0f}.",
        context,
        asked.interval,
        "context_length of the arguments",
        asked.line,
    )
