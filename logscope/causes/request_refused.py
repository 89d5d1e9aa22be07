"""A request is longer than the context or the pool.

What it is
    The server refuses one request with its two numbers and goes on.

How to tell
    The refusal's numbers: the limit is min(context, pool) − 6. A limit below the context is the pool's.

Not to be taken for
    An overload: other requests are served. Raising `--context-length` where the pool is the limit.

What to do
    Where the pool is the limit and memory is free beside it: raise the fraction. Else a shorter request or auto-truncation.

Source
    `Req.set_finish_with_abort`, `validate_input_length` (`managers/utils.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.errors import FactMissing, NotChecked
from logscope.facts import memory, pools
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef
from logscope.wording import count

WAY: Way = "depends"
TITLE = "A request is longer than what the server takes"
_BELOW = 6  # the limit lies this much below the context or the pool
_HEADROOM_GIB = 1.0
_MANY = 100_000


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A refusal with its numbers, in a server that goes on."""
    rows = [
        row
        for name in ("request_refused", "client_error")
        if case.launch.table(name).num_rows < _MANY
        for row in case.launch.rows(name)
        if row.get("kind") != "truncated"
        and row.get("limit_tokens") is not None
        and row.get("input_tokens") is not None
    ]
    if not rows:
        raise FactMissing("no request was refused for its length")
    if case.root is not None and case.died:
        return
    row = rows[0]
    told, way, evidence = _limit(case, row)
    yield Hypothesis(
        cause="request_refused",
        weight=0.6 if case.state != "stopped" else 0.45,
        sentence=f"A request of {count(row['input_tokens'])} tokens was refused: the limit is {count(row['limit_tokens'])}{told}. The server goes on.",
        evidence=(row.ref, *evidence),
        confidence="certain" if evidence else "likely",
        fraction=way,
        chain=((row.ref, "the request is refused"),),
        ruled_out=(("kv_slots_exhausted", "no allocation failed: the length was checked before"),),
        actions=(
            Action(
                do="Raise --mem-fraction-static by 0.02 steps until the pool holds the request."
                if way == "raise"
                else "Send a shorter request, or allow truncation (--allow-auto-truncate).",
                why=f"The limit is {count(row['limit_tokens'])} tokens{told}.",
                verify="max_total_num_tokens of the next start is above the request's length.",
                risk=IN_STAGING if way == "raise" else "",
                set={"flag": "--mem-fraction-static"} if way == "raise" else None,
            ),
        ),
        at=row.ref,
    )


def _limit(case: Case, row: Row) -> tuple[str, Way, tuple[LineRef, ...]]:
    """Whether the pool or the context is the limit, and whether memory would allow a larger pool."""
    launch = case.launch
    if "context length" in str(row.get("text", "")):
        return ", which the model's context sets", "leave", ()
    for name in launch.ranks:
        if name == "main":
            continue
        try:
            tokens = pools.tokens(launch.rank(name))
        except NotChecked:
            continue
        if abs(tokens.value - row["limit_tokens"]) > _BELOW + 1 or tokens.line is None:
            return ", which the context length sets", "leave", ()
        told = f", which the pool of {count(tokens)} tokens sets, not the context"
        try:
            free = memory.available_at_ready(launch.rank(name))
            roomy = free.interval.lo > _HEADROOM_GIB
            return (
                told + (f"; {free.value:.2f} GiB are free beside it" if roomy else ""),
                "raise" if roomy else "leave",
                (tokens.line,),
            )
        except NotChecked:
            return told, "depends", (tokens.line,)
    return "", "depends", ()
