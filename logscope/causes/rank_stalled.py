"""One rank's forward does not return.

What it is
    The watchdog of one rank (or of the only one) sees no progress for its whole limit.

How to tell
    A watchdog line on one rank; the other ranks, if there are any, wait or printed none within a second of it.

Not to be taken for
    `collective_stalled`: all ranks within a second. `compiling_in_forward`: a compile or warm-up line before the silence.
    `eviction_deadlock`: a snapshot that is almost all evictable, with a hierarchical cache. A missing py-spy is no cause.

What to do
    Read the stack dump of that rank; reproduce without overlap scheduling and without graphs; update.

Source
    `utils/watchdog.py`; `Scheduler.watchdog_thread` up to 0.5.6.post2.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.stalls import debug_lines, snapshots, stack_lines, stalled
from logscope.finding import Action, Hypothesis, Way

WAY: Way = "leave"
TITLE = "One rank stopped making progress"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Watchdogs on one rank only, or the dump that precedes one."""
    yield from _dumped(case)
    found = stalled(case.launch)
    if found.together:
        return
    first = found.rows[0]
    yield Hypothesis(
        cause="rank_stalled",
        weight=0.75,
        sentence=f"{first.rank} made no progress for {found.limit_s:g} s and its watchdog ended it: a forward did not return{found.told}.",
        evidence=tuple(
            dict.fromkeys(
                (
                    *(row.ref for row in found.rows[:2]),
                    *found.snapshot_lines,
                    *found.debug_lines,
                    *stack_lines(case.launch),
                )
            )
        ),
        confidence="likely",
        fraction=WAY,
        chain=(
            (first.ref, "the watchdog of one rank fires"),
            *((f.ref, f.follows) for f in case.lasting if f.follows),
        ),
        missing=()
        if case.launch.has("stack_dump")
        else ("the stacks of that rank: py-spy dump --pid of its scheduler",),
        actions=(
            Action(
                do=f"Read the stack of {first.rank} at that moment and reproduce with --disable-overlap-schedule and without graphs.",
                why="The watchdog tells that a forward did not return, not why.",
                verify="The same load passes, or the stack names the kernel.",
                risk="Both make the server slower.",
            ),
        ),
        at=first.ref,
    )


def _dumped(case: Case) -> Iterator[Hypothesis]:
    """A dump of a running batch and of its stacks, without the line that says why: only a watchdog makes both."""
    debug = debug_lines(case.launch)
    stacks = [row for row in case.launch.rows("crash_dump") if row.get("kind") == "stacks"]
    if not debug or not stacks or any(row.get("kind") == "timeout" for row in case.launch.rows("watchdog")):
        return
    frames = stack_lines(case.launch)
    pool = tuple(row.ref for row in snapshots(case.launch)[:1])
    yield Hypothesis(
        cause="rank_stalled",
        weight=0.68,
        sentence="A scheduler dumped its running batch and its stacks, which only its watchdog does: a forward did not return.",
        evidence=tuple(dict.fromkeys((*frames, *pool, *debug, stacks[0].ref))),
        confidence="likely",
        fraction=WAY,
        chain=((debug[0], "the watchdog dumps the batch"),),
        missing=("the lines after the dump: the watchdog's own and the end of the server",),
        at=debug[0],
    )
