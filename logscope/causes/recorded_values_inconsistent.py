"""Nothing failed, but a value that the log states cannot be the one in force.

What it is
    The numbers of one start exclude each other: at least one of them belongs to another launch, another rank, or was
    overridden after it was printed.

How to tell
    A conflict set without any failure in the launch; one input alone reconciles it.

Not to be taken for
    A memory fault: the server runs. `device_shared`, where a neighbour explains free memory that moves.

What to do
    Read the value in the running server's own `server_args` dump before tuning anything on top of it.

Source
    `ModelRunner.profile_max_num_token`; the relations of `logscope/relations`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.finding import Action, Hypothesis, Way
from logscope.wording import between

WAY: Way = "depends"
TITLE = "A recorded value cannot be the one in force"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A contradiction between the numbers of a launch in which nothing failed."""
    conflicts = case.found("MEM101")
    if not conflicts or case.died:
        return
    first = conflicts[0]
    possible = [q for s in first.solutions if s.status == "possible" for q in s.quantities]
    named = next((q for q in possible if q["name"] == "mem_fraction_static"), possible[0] if possible else None)
    told = ""
    span = None
    if named is not None:
        only = "Only " if len(possible) == 1 else ""
        value = f"≈ {(named['lo'] + named['hi']) / 2:.3g}" if {"lo", "hi"} <= set(named) else between(named)
        told = f" {only}{named['name']} {value} (stated {named.get('stated')}) agrees with every other line."
    if named is not None and named["name"] == "mem_fraction_static":
        ends = {key: named[key] for key in ("lo", "hi") if key in named}
        only = "only " if len(possible) == 1 else ""
        span = {**ends, "why": f"the {only}fraction that the other lines allow for this start"}
    yield Hypothesis(
        cause="recorded_values_inconsistent",
        weight=0.75,
        sentence=f"Nothing failed, but the recorded numbers exclude each other: {first.message.split(':')[0]}.{told}",
        evidence=first.evidence,
        confidence="certain" if len(possible) == 1 else "likely",
        fraction=WAY,
        fraction_range=span,
        ruled_out=tuple(
            ("another input", f"{s.quantities[0]['name']}: {s.why}") for s in first.solutions if s.status == "excluded"
        ),
        missing=("the server_args line of the process that is running",) if named is not None else (),
        actions=(
            Action(
                do="Compare the stated value with the running server's own server_args dump (or its /server_info).",
                why="Everything that is computed from the stated value is wrong as long as this is open.",
                verify="With the true value the contradiction disappears.",
            ),
        ),
        at=first.evidence[0] if first.evidence else None,
    )
