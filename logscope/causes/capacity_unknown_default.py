"""The device's capacity could not be read, and the fraction fell back to a constant.

What it is
    Without a capacity the automatic fraction is 0.88 (up to 0.5.19) or 0.95 (0.5.20 and later), whatever the machine.

How to tell
    The fallback value with a device whose capacity that release cannot read (Metal, unified memory), and a forward or the
    system that then runs out.

Not to be taken for
    `forward_out_of_memory` with a fraction that was computed or given.

What to do
    Set the fraction explicitly, 0.5 to 0.8 on a shared machine.

Source
    `ServerArgs._handle_gpu_memory_settings` (`srt/server_args.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain

WAY: Way = "lower"
TITLE = "The fraction fell back to a constant"
_FALLBACKS = (0.88, 0.95)
_UNREAD = ("mps",)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A fallback fraction on a device without a readable capacity, and an allocator that failed."""
    value = case.launch.arguments.get("mem_fraction_static")
    device = case.launch.arguments.get("device")
    root = case.root
    if value not in _FALLBACKS or device not in _UNREAD or root is None or "allocator_failure" not in root.marks:
        return
    yield Hypothesis(
        cause="capacity_unknown_default",
        weight=0.95,
        sentence=(
            f"The fraction is {value:g}, the constant that a release takes when it cannot read the capacity of the device ({device}): "
            f"{1 - value:.0%} of the memory is left for everything else, and the first forwards run out."
        ),
        evidence=(root.decisive, case.launch.arguments_line),
        confidence="likely",
        fraction=WAY,
        fraction_range={
            "lo": 0.3,
            "hi": 0.8,
            "why": "what leaves a fifth or more of a shared machine's memory outside the pool",
        },
        chain=chain(case, root, "the allocator fails with nearly nothing outside the pool"),
        ruled_out=(("forward_out_of_memory", "the value is the fallback constant, not one computed for this machine"),),
        actions=(
            Action(
                do="Set --mem-fraction-static explicitly (start with 0.6).",
                why="The constant is no measurement of this machine.",
                verify=f"The next start prints the value that you gave. {IN_STAGING}",
                set={"flag": "--mem-fraction-static", "from": value, "lo": 0.3, "hi": 0.8},
            ),
        ),
        at=root.decisive,
    )
