"""Creating the KV pool or the request table fails.

What it is
    The allocator of the device fails after the weights and before the pools are complete.

How to tell
    An allocator's sentence between `Load weight end` and `Memory pool end`, or a size that is a known product: the request
    table takes (requests + 1) · (context + 4) · 4 bytes.

Not to be taken for
    `weights_exceed_budget`, which has no allocator's sentence. `forward_out_of_memory`: the same sentence while serving.

What to do
    A pool: lower the fraction or cap the tokens. A request table larger than the device: set `--context-length` or
    `--max-running-requests`; the fraction has no part in it.

Source
    `ReqToTokenPool`, `MHATokenToKVPool` (`mem_cache/memory_pool.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.errors import FactMissing
from logscope.facts import allocator
from logscope.facts.request_table import Table, explained
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain
from logscope.wording import count, gib

WAY: Way = "lower"
TITLE = "Creating a pool ran out of device memory"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The allocator fails in the phase of the pools, or for a size that only a table has."""
    root = case.root
    if root is None:
        return
    row = allocator.sentence(root)
    sizes = {q.name: q for q in allocator.sizes(row, "requested", "total", "free")}
    if "requested" not in sizes or allocator.of_host(row):
        return
    table = None
    try:
        table = explained(case.launch, sizes["requested"])
    except FactMissing:
        pass
    larger = "total" in sizes and sizes["requested"].interval.lo > sizes["total"].interval.hi
    if root.phase != "pool" and not (table and larger):
        return
    yield Hypothesis(
        cause="pool_allocation_failed",
        weight=0.94 if table or larger else 0.9,
        sentence=_sentence(sizes["requested"].value, table, larger),
        evidence=(root.decisive,),
        confidence="certain" if table or not larger else "likely",
        fraction="leave" if larger else WAY,
        chain=chain(case, root, "the allocator fails while a pool is created"),
        ruled_out=(
            ("weights_exceed_budget", "the weights had been loaded, and the device's allocator failed, not the budget"),
        ),
        actions=(_action(table, larger),),
        at=root.decisive,
    )


def _sentence(requested: float, table: Table | None, larger: bool) -> str:
    if table is not None:
        return (
            f"One allocation of {gib(requested)} failed: it is the request table, ({count(table.requests)} + 1) · ({count(table.context)} + 4) · 4 bytes, "
            f"so the context length makes it, not the model{' and no device is that large' if larger else ''}."
        )
    if larger:
        return f"One allocation of {gib(requested)} is larger than the device: a table that grows with the context length or the running requests, not the weights."
    return f"Creating the KV pool failed in the device's allocator, which was asked for {gib(requested)}: the budget is larger than what is free."


def _action(table: Table | None, larger: bool) -> Action:
    if table is not None or larger:
        return Action(
            do="Set --context-length to what requests need (or lower --max-running-requests).",
            why="The table takes four bytes for each token of the context and each request, outside the static budget.",
            verify="The next start prints `Memory pool end`.",
            risk="Longer requests are refused.",
            set={"flag": "--context-length"},
        )
    return Action(
        do="Lower --mem-fraction-static, or cap the pool with --max-total-tokens.",
        why="The pool was computed from memory that something else took before it was allocated.",
        verify=f"The next start prints `Memory pool end` with free memory left. {IN_STAGING}",
        set={"flag": "--mem-fraction-static"},
    )
