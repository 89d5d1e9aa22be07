"""Ranks run on different cards.

What it is
    Every rank is sized for the smallest card of the group.

How to tell
    The smallest and the largest free memory before the weights are what two different cards have when they are empty.

Not to be taken for
    `device_shared`: equal cards, one of which somebody else holds; the message says "occupied by other processes" in both.

What to do
    Use equal cards in one group, or place fewer ranks. The fraction cannot even them out.

Source
    The imbalance check of `ModelRunner.init_torch_distributed`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.refusals import rest_of
from logscope.facts.tenants import unequal
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain

WAY: Way = "leave"
TITLE = "The ranks run on different cards"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Both readings are card sizes, and they differ."""
    found = unequal(case.launch)
    if not found.cards_differ:
        return
    refused = case.launch.rows("budget_refused")
    told = f"The ranks run on different cards: one has {found.least:.2f} GiB free when empty, another {found.most:.2f} GiB; every rank is sized for the smaller one."
    rests = [rest for row in refused if (rest := rest_of(row)) is not None]
    if rests:
        told += f" What is left there ({rests[0]:.2f} GiB) is too little."
    evidence = (*found.lines, *(row.ref for row in refused[:1]))
    yield Hypothesis(
        cause="devices_unequal",
        weight=0.95,
        sentence=told,
        evidence=tuple(dict.fromkeys(evidence)),
        confidence="likely",
        fraction=WAY,
        chain=chain(case, case.root, "sized for the smaller card")
        if case.root
        else ((found.lines[0], "sized for the smaller card"),),
        actions=(
            Action(
                do="Put the ranks of one group on equal cards, or leave the smaller one out.",
                why="The least free memory of all ranks sizes the pools of all.",
                verify="All ranks print the same free memory at `Load weight begin`.",
            ),
        ),
        at=found.lines[0],
    )
