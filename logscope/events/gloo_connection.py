r"""Gloo says how many peers a rank has reached: one row a group and rank.

Sample
    #@ 0.4.6..0.5.23
    [Gloo] Rank 5 is connected to 7 peer ranks. Expected number of connected peer ranks is : 7

Meaning
    Printed for every group that is built. A rank with fewer peers than expected will hang or fail.

Source
    gloo `rendezvous/context.cc`, torch 2.6 and later.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"\[Gloo\] Rank (?P<group_rank>\d+) is connected to (?P<connected_ranks>\d+) peer ranks\."
            r" Expected number of connected peer ranks is ?: (?P<expected_ranks>\d+)\s*",
            ("[Gloo] Rank ",),
        ),
    ),
    columns=(
        Column("group_rank", "int", "Rank inside the group."),
        Column("connected_ranks", "int", "Peers that are reached.", "ranks"),
        Column("expected_ranks", "int", "Peers that the group has.", "ranks"),
    ),
    shared=True,
)
