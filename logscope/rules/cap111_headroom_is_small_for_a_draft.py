"""Less than 1 GiB is left with speculation.

What it says
    available_gpu_mem is below 1 GiB and a speculative algorithm is set.

Why it matters
    Verification runs draft tokens of all requests at once, and its workspaces grow with the length. A smaller
    fraction, or fewer draft tokens, leaves room.

Example
    0.62 GB left with EAGLE.

Silent when
    No speculation, or more is left.

Source
    `EAGLEWorker.verify`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import memory
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    if not rank.launch.argument("speculative_algorithm"):
        raise NotApplicable("no speculative decoding")
    left = memory.available_at_ready(rank)
    if left.interval.hi >= 1.0:
        return None
    return compared(
        f"{left.value:.2f} GiB are left for the forwards of a target and a draft.",
        left,
        at_least(1.0),
        "workspaces of a draft and its verification",
        rank.launch.arguments_line,
    )
