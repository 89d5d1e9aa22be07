"""A forward pass needed memory outside the pool that was not there.

What it is
    The KV pool took its share of a free-memory snapshot at start; activations, workspaces and private buffers of a later
    forward must live in what was left. The allocator of the device (or of the host, on a CPU) fails while serving.

How to tell
    An allocator's sentence on the first failure, after the capacity line. `token usage` says nothing about it: a nearly
    empty pool and an out-of-memory are one event.

Not to be taken for
    `kv_slots_exhausted`: "try to allocate N tokens" is the KV allocator. `retraction_pressure`: a full pool that retracts
    goes on. `graph_capture_failed_memory`, `pool_allocation_failed`: the same sentence in an earlier phase.

What to do
    Lower the fraction, the chunk of a prefill, or the running requests. Set the fraction explicitly on a shared machine.

Source
    torch caching allocators; `MlxModelRunner._compute_pool_size`, `ContiguousKVCache`; `Scheduler.run_batch`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from logscope.case import Case
from logscope.causes import _forward_actions as forward_actions
from logscope.causes._fraction_below import alone_too_little, fraction_below
from logscope.errors import NotChecked
from logscope.facts import allocator, batches, memory, mlx, pools
from logscope.facts.failures import Failure
from logscope.facts.last_batch import last_batch, last_batches
from logscope.finding import Hypothesis, Way
from logscope.proof import SEEN_ELSEWHERE, asked
from logscope.quantity import LineRef
from logscope.wording import count, gib, percent, several

WAY: Way = "lower"
TITLE = "A forward pass needed memory outside the pool"
_FULL = 0.9
_STEP = 0.02
_LONG_TOKENS = 8192  # a prefill of which the activations are large
_IMAGES = ("multimodal/processors", "image_processing", "video_processing")
_PHASES = ("warm_up", "serving", "shutdown")


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first failure carries an allocator's sentence while the server serves."""
    failure = case.root
    if failure is None and not case.died:
        yield from _of_request(case)
    if failure is None or failure.phase not in _PHASES:
        return
    row = allocator.sentence(failure)
    if allocator.of_host(row):
        return
    told, evidence = _told(case, failure)
    diffusion = "multimodal_gen" in failure.text or case.launch.has("diffusion", "diffusion_memory")
    span = None if diffusion else _range(case, case.lasting)
    actions = forward_actions.of_diffusion if diffusion else forward_actions.of_device
    if allocator.on_cpu(row):
        actions = forward_actions.of_host
        told[-1:] = [_limited(case, told[-1])]
    yield Hypothesis(
        cause="forward_out_of_memory",
        weight=0.92,
        sentence=" ".join(told),
        evidence=(failure.decisive, *evidence),
        confidence="certain" if row.get("requested") is not None or "Metal" in str(row.get("backend")) else "likely",
        fraction="leave" if diffusion else WAY,
        fraction_range=span,
        chain=_chain(case, failure),
        ruled_out=() if diffusion else tuple(_ruled_out(case, failure)),
        actions=tuple(actions(case, span)),
        at=failure.decisive,
    )


def _of_request(case: Case) -> Iterator[Hypothesis]:
    """An allocator of the device failed for a request whose handler caught it: the server goes on, with no memory."""
    found = [
        f for f in case.survived if "allocator_failure" in f.marks and not allocator.of_host(allocator.sentence(f))
    ]
    if not found:
        return
    failure = found[0]
    images = failure.in_frames(*_IMAGES)
    span = _range(case, found)
    yield Hypothesis(
        cause="forward_out_of_memory",
        weight=0.6 if case.state != "stopped" else 0.45,
        sentence=(
            f"{several(len(found), 'request')} failed for lack of {_whose(allocator.sentence(failure).get('backend'))} memory "
            f"outside the pool ({asked(allocator.sentence(failure)) or 'no size is printed'}); the server goes on, and the next one may fail alike."
        ),
        evidence=tuple(dict.fromkeys((failure.decisive, failure.ref))),
        confidence="likely",
        fraction=WAY,
        fraction_range=span,
        chain=((failure.decisive, "the allocator fails for a request"),),
        actions=(
            *(forward_actions.of_images() if images else ()),
            *forward_actions.of_device(case, span),
        ),
        at=failure.decisive,
    )


def _told(case: Case, failure: Failure) -> tuple[list[str], list[LineRef]]:
    """The sentences of the verdict: what was asked, how full the pool was, what the pool had left outside."""
    row = allocator.sentence(failure)
    evidence: list[LineRef] = []
    asked = [f"{q.value * 1024:,.1f} MiB" if q.value < 1 else gib(q) for q in allocator.sizes(row, "requested")]
    free = [f" with {gib(q)} free on the device" for q in allocator.sizes(row, "free")]
    told = [
        f"A forward pass ran out of {_whose(row.get('backend'))} memory{' asking for ' + asked[0] if asked else ''}{free[0] if free else ''}"
    ]
    usage = _usage(case, failure)
    if usage:
        share, ref = usage
        evidence.append(ref)
        told[0] += f" while the KV pool was {percent(share)} used{_counted(case, failure)}"
        told[0] += ": the pool was not full, what lay outside it was" if share < _FULL else ""
    told[0] += "."
    room = _room(case, failure)
    if room:
        told.append(room[0])
        evidence.extend(room[1])
    try:
        found = mlx.sizing(case.launch)
        told.append(
            f"The pool had taken {percent(found.pool_share.mid)} of the {gib(found.available)} that were free when it was sized "
            f"({gib(found.budget)}), which left {gib(found.outside)} for everything else: on this backend the fraction multiplies what is "
            "free after the weights."
        )
        evidence.extend(q.line for q in (found.budget,) if q.line)
    except NotChecked:
        left = _left(case)
        if left:
            told.append(f"After the pools {left[0]} were left for everything outside them.")
            evidence.append(left[1])
    return told, evidence


def _limited(case: Case, last: str) -> str:
    """The operating system's refusal: where memory was left, a limit of the process is nearer than any flag."""
    left = _left(case)
    if left is None:
        return f"{last} The operating system refused it: look at the limits of the process before any flag."
    return (
        f"The operating system refused it although {left[0]} were free after the pools: a limit of the process (address "
        "space, control group) or another process took them; look there before any flag."
    )


def _counted(case: Case, failure: Failure) -> str:
    """` (16,095 of 312,581 tokens: 0.0515, printed as 0.05)`, where the last decode line and the capacity are both here."""
    try:
        last = last_batch(case.launch, "decode_batch", failure)
        capacity = pools.tokens(case.launch.rank(last.rank))
        used, printed = last["used_tokens"], last["token_usage_share"]
    except NotChecked:
        return ""
    exact = f"{used / capacity.value:.4f}, printed as " if capacity.value else "printed as "
    return f" ({count(used)} of {count(capacity)} tokens: {exact}{printed:.2f})"


def _room(case: Case, failure: Failure) -> tuple[str, list[LineRef]] | None:
    """A prefill that the pool had room for: capacity in tokens says nothing of the memory that a forward needs."""
    try:
        last = itertools.islice(last_batches(case.launch, "prefill_batch", failure), 2)
        prefills = [row for row in last if row.get("new_tokens") is not None]
        largest = max(prefills, key=lambda row: int(row["new_tokens"]))
        capacity = pools.tokens(case.launch.rank(largest.rank if largest.rank != "main" else "TP0"))
    except (NotChecked, ValueError):
        return None
    new = int(largest["new_tokens"])
    if new < _LONG_TOKENS or new > capacity.value:
        return None
    told = (
        f"The prefill before it had {count(new)} new tokens, and the log reports room for {count(int(capacity.value))}: "
        "that is the pool's capacity, not headroom for the attention and the activations of a forward."
    )
    return told, [largest.ref, *([capacity.line] if capacity.line else [])]


def _whose(backend: Any) -> str:
    return {"CPU": "host", "oneDNN": "host", "Metal": "Metal", None: "device"}.get(backend, f"{backend} device")


def _usage(case: Case, failure: Failure) -> tuple[float, LineRef] | None:
    """The share of the pool that the last decode line before the failure had used: tokens ÷ capacity where both are known."""
    try:
        last = last_batch(case.launch, "decode_batch", failure)
        if last.get("used_tokens") is not None:
            capacity = pools.tokens(case.launch.rank(last.rank)).value
            return float(last["used_tokens"]) / capacity, last.ref
        return batches.share_of(last), last.ref
    except NotChecked:
        return None


def _left(case: Case) -> tuple[str, LineRef] | None:
    for name in case.launch.ranks:
        for fact in (memory.available_at_ready, memory.pool_end):
            try:
                found = fact(case.launch.rank(name))
            except NotChecked:
                continue
            if found.line:
                return gib(found), found.line
    return None


def _range(case: Case, failed: Sequence[Failure]) -> Mapping[str, Any] | None:
    """Up to where the fraction may go: what the running requests need outside the pool must fit."""
    try:
        found = mlx.sizing(case.launch)
        running = float(batches.column(case.launch, "decode_batch", "running_requests").max())
        need = running * found.private_gib
        used = float(batches.column(case.launch, "decode_batch", "used_tokens").max()) * found.cell.value / 2**30
        lo, hi = used / found.available.value, 1 - need / found.available.value
        why = (
            f"ceiling: {running:.0f} running requests own {need:.1f} GiB outside the pool, and {gib(found.available)} were free; "
            f"floor: their tokens take {used:.2f} GiB of pool"
        )
        return {"lo": round(lo, 4), "hi": round(max(lo, hi - 0.02), 2), "why": why}
    except NotChecked:
        pass
    span = fraction_below(case, failed, step=_STEP)
    if "hi" in span:
        return {"hi": span["hi"], "why": span["why"]}
    return span if alone_too_little(span) else None


def _chain(case: Case, failure: Failure) -> tuple[tuple[LineRef | None, str], ...]:
    steps: list[tuple[LineRef | None, str]] = []
    try:
        found = mlx.sizing(case.launch)
        steps.append(
            (found.budget.line, f"the pool takes {gib(found.budget)} of {gib(found.available)} free at that moment")
        )
    except NotChecked:
        pass
    steps.extend((f.evidence[-1], f.message) for f in case.found("MEM106"))
    steps.append((failure.decisive, "the allocator fails in a forward pass"))
    steps.extend((f.decisive, f.follows or SEEN_ELSEWHERE) for f in case.lasting if f is not failure)
    return tuple(steps[:8])


def _ruled_out(case: Case, failure: Failure) -> Iterator[tuple[str, str]]:
    usage = _usage(case, failure)
    if usage is not None and usage[0] < _FULL:
        yield (
            "kv_slots_exhausted",
            f"the server was nowhere near full: {percent(usage[0])} of the pool's tokens were in use",
        )
    yield (
        "a larger fraction would help",
        "it enlarges the pool and shrinks what is left outside it, which is what ran out",
    )
    if case.launch.arguments.get("mem_fraction_static") is not None:
        yield (
            "the automatic fraction is tuned and to be left",
            "it is computed from the device's size, not from what others hold or what forwards need",
        )
    try:
        found = mlx.sizing(case.launch)
        used = float(batches.column(case.launch, "decode_batch", "used_tokens").max()) * found.cell.value / 2**30
        yield (
            "the pool line is the memory that the server uses",
            f"{gib(found.budget)} were reserved, and requests used {used:.2f} GiB of them at most",
        )
    except NotChecked:
        pass
