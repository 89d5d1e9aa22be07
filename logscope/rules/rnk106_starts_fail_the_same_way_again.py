"""Starts with the same arguments fail again and again.

What it says
    Three or more launches of one log have the same fraction and end without serving.

Why it matters
    What fails is decided by the configuration: starting again changes nothing. Look at the first of them.

Example
    Four starts at 0.85, none of them ready.

Silent when
    Fewer starts, other fractions, or one of them serves.

Source
    Supervisors that start the server again.
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.errors import FactMissing
from logscope.facts.starts_of_model import alike
from logscope.facts.states import was_ready
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launches: Sequence[Launch]) -> Finding | None:
    """The starts that failed with one set of arguments."""
    known = [launch for launch in launches if launch.has("server_args")]
    if len(known) < 3:
        raise FactMissing(f"{len(known)} starts are in the log; three are needed")
    failed = [launch for launch in known if not was_ready(launch) and alike(launch, known[0])]
    same = {launch.arguments.get("mem_fraction_static") for launch in failed}
    if len(failed) < 3 or len(same) > 1:
        return None
    return Finding(
        message=f"{len(failed)} starts with the same arguments ended before they served: the first one tells why.",
        evidence=tuple(launch.arguments_line for launch in failed[:4]),
        launches=tuple(launch.id for launch in failed),
    )
