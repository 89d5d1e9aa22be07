"""The idle check of the pools ended the server.

What it says
    The exception that ended a scheduler is the leak check's own.

Why it matters
    It looks like a lack of memory and is accounting: a feature lost or doubled slots. An upgrade, or the
    environment variable that makes it a warning, helps; the fraction does not.

Example
    ValueError: token_to_kv_pool_allocator memory leak detected!

Silent when
    Nothing failed, or something else did.

Source
    `check_memory`, `scheduler_runtime_checker_mixin.py`, 0.4.6.post5 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts.failures import failures
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = [f for f in failures(launch) if f.kind == "failure" and not f.follows and not f.survived]
    if not found:
        raise FactMissing("no exception ended the server")
    if "pool_leak" not in found[0].marks:
        return None
    return Finding(
        message="The leak check of an idle server ended it: accounting, not a lack of memory.",
        evidence=(found[0].decisive,),
        rank=found[0].rank,
    )
