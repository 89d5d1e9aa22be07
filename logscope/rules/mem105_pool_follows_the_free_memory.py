"""Two starts with one configuration got pools of different size, because the free memory differed.

What it says
    The fraction, the bytes of a token and the arguments are the same in two launches; the pool differs by exactly the
    fraction of the difference in free memory.

Why it matters
    The pool is a share of a snapshot. On a machine that others use too it is another size at every start, and what is left
    outside is what the others leave. Nothing in the server changed.

Example
    27.81 GiB free gave 24.25 GiB, 38.29 GiB free gave 33.39 GiB: 9.14 = 0.872 · 10.48.

Silent when
    One launch only, another backend, or the two pools do not differ.

Source
    `MlxModelRunner._compute_pool_size` (hardware_backend/mlx).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from logscope.errors import FactMissing, NotChecked
from logscope.facts.mlx import Sizing, sizing
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launches: Sequence[Launch]) -> list[Finding]:
    """Each launch against the one before it."""
    known = [(launch, found) for launch in launches for found in _sizings(launch)]
    if len(known) < 2:
        raise FactMissing("fewer than two launches print how their pool was sized")
    return [_finding(a, b) for a, b in pairwise(known) if _drifted(a[1], b[1])]


def _sizings(launch: Launch) -> list[Sizing]:
    try:
        return [sizing(launch)]
    except NotChecked:
        return []


def _drifted(a: Sizing, b: Sizing) -> bool:
    same_rule = not a.pool_share.disjoint(b.pool_share) and a.cell.value == b.cell.value
    return same_rule and a.budget.interval.disjoint(b.budget.interval)


def _finding(a: tuple[Launch, Sizing], b: tuple[Launch, Sizing]) -> Finding:
    (first, one), (second, two) = a, b
    share = one.pool_share.meet(two.pool_share)
    return Finding(
        message=(
            f"The pool is {two.tokens.value:,.0f} tokens in launch {second.id} and {one.tokens.value:,.0f} in launch {first.id}, "
            f"although nothing in SGLang changed: both took {share.mid:.4f} of what was free, and {two.available.value:.2f} GiB "
            f"were free in place of {one.available.value:.2f} GiB. A token takes {one.cell.value:,.0f} bytes in both."
        ),
        evidence=tuple(q.line for q in (one.budget, two.budget) if q.line),
        launches=(first.id, second.id),
        data={"fraction": share.mid, "cell_bytes": one.cell.value},
    )
