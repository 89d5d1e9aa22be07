"""Releasing or resuming memory in a co-located trainer fails.

What it is
    Memory that was handed to a trainer is wanted back, and the device does not have it.

How to tell
    A resume call in the failing line or its frames. The first out-of-memory line may call itself harmless: the fatal one is
    the one in the resume.

Not to be taken for
    `forward_out_of_memory`: no forward runs here.

What to do
    Make the trainer give its memory back first (empty its caches, wait for it), then resume.

Source
    torch_memory_saver `csrc/core.cpp`; `resume_memory_occupation` (`managers/scheduler.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain

WAY: Way = "leave"
TITLE = "Memory could not be resumed"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """An allocator fails in a resume call."""
    found = [f for f in case.originators if f.phase == "resume" or _resumes(f.marks.get("allocator_failure"))]
    if not found:
        return
    fatal = next((f for f in found if _resumes(f.marks.get("allocator_failure"))), found[-1])
    yield Hypothesis(
        cause="memory_resume_failed",
        weight=0.95,
        sentence="Resuming the memory that had been released failed: the device does not have it, because whoever used it meanwhile has not given it back.",
        evidence=tuple(dict.fromkeys((fatal.decisive, *(f.decisive for f in found)))),
        confidence="certain",
        fraction=WAY,
        chain=chain(case, fatal, "the resume fails"),
        ruled_out=(("forward_out_of_memory", "the call that fails is the resume, not a forward"),),
        actions=(
            Action(
                do="Let the trainer free its memory (and empty its allocator's cache) before the resume.",
                why="The resumed regions need the very amount that was released.",
                verify="Free memory before the resume is at least what was released.",
            ),
        ),
        at=found[0].decisive,
    )


def _resumes(row: object) -> bool:
    return row is not None and "resume" in str(dict(getattr(row, "cells", {}))).lower()
