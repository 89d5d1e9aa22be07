"""What there was to be seen and what is missing: ranks, nodes, arguments, the start, the traceback, the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.failures import Failure, failures
from logscope.facts.lacking import taken
from logscope.launch import Launch

_NO_LINE_SINCE, _NO_LINE_UNTIL = "0.4.10", "0.5.9"


def running_at_end(launch: Launch) -> int:
    """Requests that were running at the last decode line that tells; 0 when idle or when no batch is in the log."""
    try:
        running = batches.column(launch, "decode_batch", "running_requests")
    except NotChecked:
        return 0
    told = running[~np.isnan(running)]
    return int(told[-1]) if len(told) else 0


def silent_kill_possible(launch: Launch) -> bool:
    """Whether a release of the range leaves no line when its scheduler is killed while serving (start included)."""
    started = launch.has("server_args", "load_weight")
    return started and any(release in launch.release for release in _silent())


def _silent() -> tuple[str, ...]:
    from logscope.sglang import between

    return between(_NO_LINE_SINCE, _NO_LINE_UNTIL)


def missing(launch: Launch) -> Iterator[str]:
    """What to collect next and how, the most telling first."""
    found = [failure for failure in failures(launch) if not failure.survived]
    if found and all(failure.follows for failure in found):
        yield (
            "the traceback above the signal, or the log of the process that ended first: "
            "`grep -n -A80 'hit an exception' LOG`, `kubectl logs POD --previous`"
        )
    yield from _ranks(launch)
    if not launch.has("server_args"):
        yield "the server_args line: the first lines of the log (`docker logs NAME 2>&1 | head -n 300`)"
    if not launch.has("load_weight", "capacity"):
        yield "the start of the server: `grep -E 'Load weight|Memory pool end|max_total_num_tokens' LOG`"
    if launch.has("watchdog") and not launch.has("stack_dump"):
        yield "the stacks of the stalled rank while it stands: `py-spy dump --pid PID` of its scheduler"
    if _of_memory(found):
        yield "who holds the device at that moment: `nvidia-smi --query-compute-apps=pid,used_memory --format=csv`"
    if not found and not launch.has("shutdown"):
        yield "the end: the exit code, the orchestrator's events, `dmesg -T | grep -i -E 'oom|killed'`"


def _ranks(launch: Launch) -> Iterator[str]:
    """Nodes and ranks that are configured and that printed nothing here."""
    expected = launch.arguments.get("tp_size")
    seen = {rank for rank in launch.ranks if "TP" in rank}
    nodes = launch.arguments.get("nnodes")
    if isinstance(nodes, int) and nodes > 1:
        yield f"the logs of the other nodes: the server runs on {nodes}"
    elif isinstance(expected, int) and expected > 1 and 0 < len(seen) < expected:
        yield f"lines of all ranks: {len(seen)} of {expected} TP ranks are here"


def _of_memory(found: list[Failure]) -> bool:
    return any({"allocator_failure", "imbalance"} & set(failure.marks) and not taken(failure) for failure in found)
