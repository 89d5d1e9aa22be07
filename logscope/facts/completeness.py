"""What there was to be seen and what is missing: ranks, nodes, arguments, the start, the traceback, the end."""

from __future__ import annotations

from collections.abc import Iterator

from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.failures import failures
from logscope.launch import Launch

_NO_LINE_SINCE, _NO_LINE_UNTIL = "0.4.10", "0.5.9"


def running_at_end(launch: Launch) -> int:
    """Requests that were running at the last decode line; 0 when idle or when no batch is in the log."""
    try:
        return int(batches.column(launch, "decode_batch", "running_requests")[-1])
    except NotChecked:
        return 0


def silent_kill_possible(launch: Launch) -> bool:
    """Whether a release of the range leaves no line when its scheduler is killed while serving (start included)."""
    started = launch.has("server_args", "load_weight")
    return started and any(release in launch.release for release in _silent())


def _silent() -> tuple[str, ...]:
    from logscope.sglang import between

    return between(_NO_LINE_SINCE, _NO_LINE_UNTIL)


def missing(launch: Launch) -> Iterator[str]:
    """What to collect next, the most telling first."""
    if not launch.has("server_args"):
        yield "the server_args line: the first lines of the log"
    expected = launch.arguments.get("tp_size")
    seen = {rank for rank in launch.ranks if "TP" in rank}
    nodes = launch.arguments.get("nnodes")
    if isinstance(nodes, int) and nodes > 1 and not (isinstance(expected, int) and len(seen) >= expected):
        here = {
            row.ref.path for name in ("server_args", "load_weight", "distributed_init") for row in launch.rows(name)
        }
        yield f"the logs of the other nodes: the server runs on {nodes}" + (
            f", and {len(seen)} of {expected} TP ranks are here" if len(here) > 1 else ""
        )
    elif isinstance(expected, int) and expected > 1 and 0 < len(seen) < expected:
        yield f"lines of all ranks: {len(seen)} of {expected} TP ranks are here"
    found = failures(launch)
    if found and all(failure.follows for failure in found):
        yield "the traceback above the signal, or the log of the process that ended first"
    if not launch.has("load_weight", "capacity"):
        yield "the start of the server: weights, pools and capacity lines"
    if not found and not launch.has("shutdown"):
        yield "the end: the exit code, the orchestrator's events, `dmesg -T | grep -i -E 'oom|killed'`"
