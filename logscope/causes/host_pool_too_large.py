"""The host KV pool of the hierarchical cache does not fit into host memory.

What it is
    Every rank allocates its own host pool from the same reading of free host memory; together they exceed it.

How to tell
    The refusal that names host memory, or the sum of the announced pools over the ranks; the log ends in the middle of them.
    Sizes are decimal GB and per rank.

Not to be taken for
    A device out-of-memory. The last small pool that meets an empty host is the victim, not the cause.

What to do
    Lower `--hicache-size` or `--hicache-ratio`: the size counts once a rank. The fraction plays no part.

Source
    `HostKVCache` (`mem_cache/memory_pool_host.py`, later `mem_cache/pool_host`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts import allocator
from logscope.facts.failures import Failure
from logscope.facts.states import was_ready
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import chain
from logscope.quantity import LineRef
from logscope.wording import several

WAY: Way = "leave"
TITLE = "The host KV pools do not fit into host memory"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Host memory was refused, or the log ends while host pools are being allocated."""
    pools = [row for row in case.launch.rows("host_pool") if row.get("host_gb") is not None]
    refused = [f for f in case.originators if (_refuses(f.marks) and _of_cache(case, f)) or _pins(f)]
    total = sum(row["host_gb"] for row in pools)
    if refused:
        failure = refused[0]
        largest = [max(pools, key=lambda row: row["host_gb"]).ref] if pools else []
        yield _made(
            0.94,
            _refusal(total, pools),
            (failure.decisive, *largest),
            chain(case, failure, "host memory is refused"),
            failure.decisive,
        )
    elif pools and not was_ready(case.launch) and not case.originators:
        last = pools[-1].ref
        biggest = max(pools, key=lambda row: row["host_gb"]).ref
        yield _made(0.6, _announced(total, pools), (biggest, last), ((last, "the log ends here"),), last)


def _announced(total: float, pools: list[Row]) -> str:
    """What is announced so far, and what it comes to once every rank has each kind of pool that one of them has."""
    largest = {
        str(row.get("pool")): max(one["host_gb"] for one in pools if one.get("pool") == row.get("pool"))
        for row in pools
    }
    ranks = len({row.rank for row in pools})
    whole = ranks * sum(largest.values())
    told = f"The log ends while host pools are being allocated; {several(len(pools), 'announced pool')} would take {total:.0f} GB of host memory"
    if whole < total + 1:
        return f"{told}."
    each = f"{sum(largest.values()):,.2f} GB" + (
        f" ({' + '.join(f'{gb:,.2f}' for gb in largest.values())})" * (len(largest) > 1)
    )
    return f"{told}, and {whole:,.1f} GB once each of the {ranks} ranks has its {each}."


def _pins(failure: Failure) -> bool:
    """Whether a host pool could not be pinned: the device's allocator then speaks of host memory."""
    return "allocator_failure" in failure.marks and failure.in_frames("pool_host", "alloc_with_host_register")


def _of_cache(case: Case, failure: Failure) -> bool:
    """Whether a host pool is what was asked for: it is announced, set, or in the frames."""
    on = case.launch.arguments.get("enable_hierarchical_cache")
    return bool(
        case.launch.has("host_pool")
        or on
        or "budget_refused" in failure.marks
        or failure.in_frames("hiradix", "pool_host", "HostKVCache", "hicache", "cache_controller")
    )


def _refuses(marks: object) -> bool:
    rows = dict(marks) if isinstance(marks, dict) else {}
    budget, sentence = rows.get("budget_refused"), rows.get("allocator_failure")
    if budget is not None and budget.get("pool") == "host":
        return True
    return sentence is not None and allocator.of_host(sentence)


def _refusal(total: float, pools: list[Row]) -> str:
    announced = (
        f" {len(pools)} announced pools take {total:.0f} GB together; the one that failed is only the last."
        if len(pools) > 1
        else ""
    )
    return f"Host memory for the hierarchical cache was refused.{announced} The size counts once a rank."


def _made(
    weight: float,
    sentence: str,
    evidence: tuple[LineRef, ...],
    links: tuple[tuple[LineRef | None, str], ...],
    at: LineRef,
) -> Hypothesis:
    return Hypothesis(
        cause="host_pool_too_large",
        weight=weight,
        sentence=sentence,
        evidence=tuple(dict.fromkeys(evidence)),
        confidence="certain" if weight > 0.9 else "likely",
        fraction=WAY,
        chain=links,
        missing=()
        if weight > 0.9
        else ("`dmesg -T | grep -i -E 'oom|killed'` of that minute: the kernel may have ended it",),
        actions=(
            Action(
                do="Lower --hicache-size (or --hicache-ratio): divide the host's free memory by the ranks on it.",
                why="Each rank allocates the whole size; every check passes against the same free memory.",
                verify="`free -g` keeps a reserve after all ranks have printed their host pool.",
                set={"flag": "--hicache-size"},
            ),
        ),
        at=at,
    )
