"""The scheduler cannot free what it counts as evictable.

What it is
    With a hierarchical cache nearly all of the pool is evictable on paper, and the eviction makes no progress.

How to tell
    A watchdog whose snapshot shows more than 90 % of what could be had as evictable, with the hierarchical cache on.

Not to be taken for
    A full pool. `rank_stalled`: the same snapshot without a second cache level.

What to do
    Update; until then switch the hierarchical cache off or change its write policy. The fraction does nothing.

Source
    `mem_cache/hiradix_cache.py`; `utils/watchdog.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.stalls import stalled
from logscope.finding import Action, Hypothesis, Way
from logscope.wording import percent

WAY: Way = "leave"
TITLE = "What counts as evictable cannot be evicted"
_EVICTABLE = 0.9


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A stall whose snapshot is nearly all evictable, with the hierarchical cache on."""
    found = stalled(case.launch)
    on = bool(case.launch.arguments.get("enable_hierarchical_cache")) or case.launch.has("host_pool")
    share = found.evictable_share
    if not on or share is None or share < _EVICTABLE:
        return
    yield Hypothesis(
        cause="eviction_deadlock",
        weight=0.86,
        sentence=f"The scheduler stopped while {percent(share)} of the tokens that it could have are evictable on paper: with the hierarchical cache on, the eviction makes no progress.",
        evidence=tuple(dict.fromkeys((found.rows[0].ref, *found.snapshot_lines, *found.debug_lines))),
        confidence="likely",
        fraction=WAY,
        chain=((found.rows[0].ref, "the watchdog fires"),),
        ruled_out=(("kv_slots_exhausted", "the tokens are there on paper: nothing is short"),),
        actions=(
            Action(
                do="Update; until then start without --enable-hierarchical-cache or with another write policy.",
                why="The second cache level holds locks on what should be evicted.",
                verify="The watchdog stays silent under the same load.",
                risk="A lower cache hit rate.",
            ),
        ),
        at=found.rows[0].ref,
    )
