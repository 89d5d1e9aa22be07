"""A start was refused for memory at a smaller fraction than another start of the same model has.

What it says
    Two launches that load the same model: the one that was refused had the smaller fraction of the two, or it was lowered
    after a refusal.

Why it matters
    rest = after − before · (1 − fraction) falls with the fraction. Lowering it after a refusal goes the wrong way.

Example
    From 0.55 to 0.50 the rest falls by 0.05 · 94.0 = 4.70 GiB.

Silent when
    No launch was refused, the fractions are not in the log, or the fraction was raised after the refusal.

Source
    `ModelRunner.profile_max_num_token` (`model_executor/model_runner.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.errors import FactMissing, NotChecked
from logscope.facts.budget import budget, refusal, stated_fraction
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity

SEVERITY = "warning"
KIND = "smell"


def check(launches: Sequence[Launch]) -> list[Finding]:
    """Every refused launch against the other launch of the same model with the next larger fraction."""
    stated = [(launch, fraction) for launch in launches for fraction in _fractions(launch)]
    refused = [(launch, fraction) for launch, fraction in stated if _refused(launch)]
    if not refused or len(stated) < 2:
        raise FactMissing("no refused launch and another one with their fractions are in the log")
    found = []
    for launch, fraction in refused:
        larger = [pair for pair in stated if pair[1].value > fraction.value and _same_model(pair[0], launch)]
        if larger:
            found.append(_finding(launch, fraction, *min(larger, key=lambda pair: pair[1].value)))
    return found


def _fractions(launch: Launch) -> list[Quantity]:
    try:
        return [stated_fraction(launch)]
    except NotChecked:
        return []


def _refused(launch: Launch) -> bool:
    try:
        refusal(launch)
    except NotChecked:
        return False
    return True


def _same_model(a: Launch, b: Launch) -> bool:
    return a.arguments.get("model_path") == b.arguments.get("model_path")


def _finding(launch: Launch, fraction: Quantity, other: Launch, larger: Quantity) -> Finding:
    by = ""
    try:
        by = f", which takes {budget(launch).before.value * (larger.value - fraction.value):.2f} GiB from the rest"
    except NotChecked:
        pass
    return Finding(
        message=(
            f"Launch {launch.id} was refused at {fraction.value:g}; launch {other.id} has {larger.value:g}. Going from {larger.value:g} to "
            f"{fraction.value:g} is the wrong direction{by}: the printed advice to increase is right."
        ),
        evidence=tuple(q.line for q in (fraction, larger) if q.line),
        launches=(launch.id, other.id),
        way="raise",
    )
