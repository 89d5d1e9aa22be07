"""The KV allocator, not the device, cannot place tokens.

What it is
    Pool full, page rounding, or the other pool of a hybrid model: "try to allocate N tokens".

How to tell
    The allocator's own text with what was asked for and what each pool had. Tokens may be plenty while whole pages are not;
    one pool may be empty while the headline pool is free; evictable on paper may be locked.

Not to be taken for
    A device out-of-memory: no torch sentence. `retraction_pressure`: the server goes on. `prefill_decode_transfer`, where a
    log shows undrained transfers that hold the slots.

What to do
    Depends on the kind: page size down or fewer running requests; the ratio of the pool that is short; the fraction up only
    when the pool is truly full.

Source
    `alloc_token_slots`, `alloc_paged_token_slots_*` (`mem_cache/common.py`, `mem_cache/allocation.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.slots import Shortage, shortage
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain
from logscope.quantity import LineRef
from logscope.wording import count, listed, several

WAY: Way = "leave"
TITLE = "The KV allocator could not place tokens"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The allocator's text stands in the launch, and no device's before it."""
    root = case.root
    if root is not None and "allocator_failure" in root.marks:
        return
    others = [*_of_requests(case), *_alone(case)]
    if others:
        yield from others
        return
    found = shortage(case.launch)
    kind, told, way = _kind(found)
    yield Hypothesis(
        cause="kv_slots_exhausted",
        weight=0.9 if found.requested or found.stage else 0.25,
        sentence=f"The KV allocator could not place {count(found.requested)} tokens: {told}. This is not device memory.",
        evidence=_evidence(case, found),
        confidence="certain" if kind != "unknown" and found.requested else "likely",
        fraction=way,
        chain=chain(case, root, told) if root else ((found.lines[0], told),),
        ruled_out=(("forward_out_of_memory", "the text counts tokens of the pool; no device allocator failed"),),
        actions=(_action(kind, found),),
        at=found.lines[0],
    )


def _of_requests(case: Case) -> Iterator[Hypothesis]:
    """The table of requests has no free row: a count, not memory."""
    rows = case.launch.rows("request_slots_exhausted")
    if not rows:
        return
    told = f"{several(rows[0].get('requests', 1), 'request')} needed a row of the request table and {count(rows[0].get('available_slots', 0))} were free"
    yield _plain(
        case,
        rows[0].ref,
        told,
        "leave",
        Action(
            do="Lower --max-running-requests, or update: a row that is not given back is a defect.",
            why="The table holds one row for each running request; the text speaks of requests, not of bytes.",
            verify="The text does not come back under the same load.",
            set={"flag": "--max-running-requests"},
        ),
    )


def _alone(case: Case) -> Iterator[Hypothesis]:
    """One request fills the pool by itself: nothing is left to retract, and it is aborted or the server ends."""
    rows = [row.ref for row in case.launch.rows("retraction_abort")]
    rows += [
        row.ref
        for row in case.launch.rows("pool_exhausted")
        if row.get("requested_tokens") is None and "retract" in " ".join(str(v) for v in row.values()).lower()
    ]
    rows += [f.decisive for f in case.originators if f.root is not None and "after retracting all" in f.root.message]
    if not rows:
        return
    yield _plain(
        case,
        min(rows),
        "one request fills the pool by itself, and nothing is left to retract",
        "raise",
        Action(
            do="Raise --mem-fraction-static by 0.02 steps, or cap what a request may generate (max_new_tokens).",
            why="A single request is longer than the pool.",
            verify="max_total_num_tokens of the next start is above the longest request.",
            risk=f"A larger pool leaves less for activations. {IN_STAGING}",
            set={"flag": "--mem-fraction-static"},
        ),
    )


def _plain(case: Case, line: LineRef, told: str, way: Way, action: Action) -> Hypothesis:
    return Hypothesis(
        cause="kv_slots_exhausted",
        weight=0.9 if case.root is not None else 0.66,
        sentence=f"The KV allocator could not place a request: {told}. This is not device memory.",
        evidence=tuple(dict.fromkeys((line, *batches.fullest(case.launch)))),
        confidence="likely",
        fraction=way,
        chain=chain(case, case.root, told) if case.root else ((line, told),),
        ruled_out=(("forward_out_of_memory", "no device allocator failed"),),
        actions=(action,),
        at=line,
    )


def _evidence(case: Case, found: Shortage) -> tuple[LineRef, ...]:
    short = [pool.line for pool in found.short]
    return tuple(dict.fromkeys((*found.lines[:2], *short, *found.lines[2:6], *_held(case))))


def _held(case: Case) -> tuple[LineRef, ...]:
    """The batch line with most requests in transfer: they hold slots until they are sent."""
    try:
        waiting = batches.column(case.launch, "prefill_batch", "inflight_requests")
    except NotChecked:
        return ()
    most = int(np.nanargmax(waiting))
    return (batches.ref(case.launch, "prefill_batch", most),) if waiting[most] > 0 else ()


def _kind(found: Shortage) -> tuple[str, str, Way]:
    """Which of the kinds it is, in words, and the direction of the fraction."""
    short, ample = found.short, [pool for pool in found.pools if pool.total >= found.requested]
    if short and ample:
        names = listed([f"the {pool.name} pool had {count(pool.total)}" for pool in short])
        return "other_pool", f"{names}, although the {ample[0].name} pool could give {count(ample[0].total)}", "leave"
    if not found.pools:
        return "unknown", "the log does not print what the pools had", "leave"
    first = found.pools[0]
    if short:
        return (
            "full",
            f"the pool had {count(first.free)} free and {count(first.evictable)} evictable: it is full",
            "raise",
        )
    if found.page_size > 1 and found.stage == "Decode" and found.requested > found.free_pages:
        return (
            "pages",
            f"{count(first.free)} free tokens are {found.free_pages} pages of {found.page_size}, and up to {count(found.requested)} requests may each need a new page",
            "leave",
        )
    if first.free < found.requested:
        return (
            "evictable",
            f"only {count(first.free)} are free, and the {count(first.evictable)} that count as evictable could not be freed",
            "leave",
        )
    return "pages", f"{count(first.free)} are free but not in whole pages where they are needed", "leave"


def _action(kind: str, found: Shortage) -> Action:
    verify = "The allocator's text does not come back under the same load."
    if kind == "full":
        return Action(
            do="Raise --mem-fraction-static by 0.02, or lower --max-running-requests.",
            why="The pool is truly full.",
            verify=verify,
            risk=f"A larger pool leaves less for activations. {IN_STAGING}",
            set={"flag": "--mem-fraction-static"},
        )
    if kind == "other_pool":
        names = listed([pool.name for pool in found.short])
        return Action(
            do=f"Enlarge the {names} pool (--swa-full-tokens-ratio for a sliding-window pool), or lower the chunk of a prefill.",
            why="Only that pool is short.",
            verify=verify,
        )
    if kind == "pages":
        return Action(
            do="Lower --page-size or --max-running-requests.",
            why="Every running request may need a page of its own in one step.",
            verify=verify,
            set={"flag": "--max-running-requests", "hi": found.free_pages or None},
        )
    return Action(
        do="Find what holds the slots: transfers, locked cache entries, unfinished requests; update the server.",
        why="The tokens are there on paper.",
        verify=verify,
    )
