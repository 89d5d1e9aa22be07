"""Fewer ranks loaded weights than the arguments say.

What it says
    The ranks that print `Load weight end` are fewer than tp_size · pp_size on one node.

Why it matters
    A rank never came that far, or its lines were filtered out: its first error is the one to read.

Example
    tp_size=8 and seven ranks.

Silent when
    Several nodes, replicas without a name, no dump, no rank prints a tensor-parallel name, or all are there.

Source
    `ModelRunner.load_model`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import compared
from logscope.wording import listed

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    expected = settings.number(launch, "tp_size").value * settings.size(launch, "pp_size")
    if settings.size(launch, "nnodes") > 1 or expected < 2:
        raise NotApplicable("one rank, or several nodes")
    names = {row.rank for row in launch.rows("load_weight") if row.get("kind") == "end"}
    if not names or not any("TP" in name for name in names):
        raise FactMissing("no rank prints the end of its load")
    if len(names) >= expected:
        return None
    row = launch.rows("load_weight")[0]
    observed = Quantity.exact("loaded_ranks", len(names), "ranks", line=row.ref)
    return compared(
        f"{len(names)} of {expected:.0f} ranks print the end of their load ({listed(sorted(names))}).",
        observed,
        expected,
        "tp_size · pp_size",
        launch.arguments_line,
    )
