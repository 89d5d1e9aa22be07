"""The clocks of ranks differ.

What it says
    The same two or more events of the start (end of the pool, begin of the capture, end of the capture) are apart
    by one constant of more than two seconds on a rank.

Why it matters
    All ranks pass them together: the clocks of their hosts differ. Which failure came first cannot be told across
    them before they are aligned.

Example
    Memory pool end, capture begin and capture end are each 37 s later on TP8.

Silent when
    One rank, no clock, fewer than two common events, or the differences are small or change.

Source
    Collectives between the phases of the start.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch, Rank, Row

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    names = [name for name in launch.ranks if "TP" in name]
    if len(names) < 2:
        raise FactMissing("fewer than two ranks print lines")
    events = {name: _events(launch.rank(name)) for name in names}
    first = next((name for name in names if len(events[name]) >= 2), "")
    compared_ranks = 0
    for name in names:
        common = sorted(set(events[name]) & set(events.get(first, {})))
        if name == first or len(common) < 2:
            continue
        compared_ranks += 1
        apart = [events[name][event].time - events[first][event].time for event in common]
        if min(abs(gap) for gap in apart) > 2 and max(apart) - min(apart) <= 1:
            return Finding(
                message=f"The clock of {name} is {abs(apart[0]):.0f} s {'ahead of' if apart[0] > 0 else 'behind'} that of {first} in {len(common)} events that both pass together.",
                evidence=(events[name][common[0]].ref, events[first][common[0]].ref),
                rank=name,
            )
    if not compared_ranks:
        raise FactMissing("no two ranks print two common events")
    return None


def _events(rank: Rank) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in [*rank.rows("memory_pool_end"), *rank.rows("graph_capture")]:
        if row.get("kind", "end") in ("begin", "end") and "time" in row:
            found.setdefault(f"{row.table} {row.get('kind', '')}", row)
    return found
