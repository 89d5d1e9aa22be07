"""The operating system or a container limit killed a process.

What it is
    SIGKILL from outside: the kernel's out-of-memory killer, a control group's limit, an operator.

How to tell
    A kernel or pod line that says so, or an exit by signal 9 with no exception of any process before it.

Not to be taken for
    The launcher killing its own tree: −9 or `Killed` after an exception, or after an orderly stop. `peer_lost`: only
    closed connections.

What to do
    Look at `dmesg -T` and the pod's events of that moment; lower what the host must hold: host pools, loader threads,
    pinned memory, the number of ranks that load at once.

Source
    `SubprocessWatchdog` (`utils/watchdog.py`), `SignalHandler.sigchld_handler`; Linux `mm/oom_kill.c`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.sequence import before
from logscope.facts.states import stop_row, where
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef
from logscope.wording import sentence

WAY: Way = "leave"
TITLE = "The operating system killed a process"
_MACHINE = "the whole machine ran out of memory, not a container at its limit: the kernel's out-of-memory killer"
_CONTAINER = "the memory limit of its container or control group"
_KINDS = {
    "anonymous_kib": "memory of its own",
    "shared_kib": "shared memory, where host KV pools and pinned buffers count",
    "file_kib": "pages of files",
}
_RAY = re.compile(r"ray\.exceptions\.OutOfMemoryError|due to the node running low on memory")


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The kernel says so, or a process ended by signal 9 before anything else failed."""
    said = [row for name in ("kernel_oom", "pod_status") for row in case.launch.rows(name) if _of_memory(name, row)]
    if said:
        yield _made(case, said[0], 0.96, f"{_limit(said)} ended it{_held(said)}", said)
        return
    root = case.root
    if root is not None and root.root is not None and _RAY.search(f"{root.root.type}: {root.root.message}"):
        yield _made(case, root.row, 0.92, "the memory monitor of its node ended it", [root.row], root.message_lines)
        return
    ended = case.lasting[0] if case.lasting else None
    if ended is not None and ended.kind == "shell" and "Killed" in str(ended.row.get("signal")) and case.died:
        yield _made(case, ended.row, 0.55, "the shell reports signal 9, and nothing failed before it", [ended.row])
        return
    killed = [row for row in case.launch.rows("process_exit") if _by_nine(row)]
    stop = stop_row(case.launch)
    if not killed or case.originators or (stop is not None and before(case.launch, where(stop), where(killed[0]))):
        return
    yield _made(case, killed[0], 0.7, "it ended by signal 9 with no exception before it", killed)


def _of_memory(name: str, row: Row) -> bool:
    if name == "kernel_oom":
        return row.get("kind") in ("killed", "oom_kill", "step")
    return "OOMKilled" in str(dict(row.cells))


def _limit(rows: list[Row]) -> str:
    """Whose memory ran out, as far as a line says it."""
    scopes = {str(row.get("scope")) for row in rows if row.get("scope") is not None}
    if any(row.table == "pod_status" for row in rows) or scopes & {"CONSTRAINT_MEMCG", "Memory cgroup out of memory"}:
        return _CONTAINER
    if scopes and scopes <= {"CONSTRAINT_NONE", "Out of memory"}:
        return _MACHINE
    return "a memory limit of the kernel or of the container"


def _held(rows: list[Row]) -> str:
    """What it held at its end, where the kernel counts it."""
    for row in rows:
        sizes = [(row.get(name) or 0, what) for name, what in _KINDS.items()]
        kib, what = max(sizes)
        if kib:
            return f"; it held {kib / 2**20:,.1f} GiB of {what}"
    return ""


def _by_nine(row: Row) -> bool:
    return row.get("exit_code") in (-9, 137) or row.get("wait_status") == 9


def _made(
    case: Case, row: Row, weight: float, why: str, rows: list[Row], lines: tuple[LineRef, ...] = ()
) -> Hypothesis:
    process = row.get("process") or _named(str(row.get("child") or "")) or "a process of the server"
    return Hypothesis(
        cause="host_killed_process",
        weight=weight,
        sentence=f"{sentence(str(process))} was killed from outside: {why}.",
        evidence=tuple(dict.fromkeys((*lines[:2], *(r.ref for r in rows[:4])))),
        confidence="certain" if weight > 0.9 else "likely" if weight > 0.6 else "possible",
        fraction=WAY,
        chain=((row.ref, why), *((f.ref, f.follows) for f in case.lasting if f.ref != row.ref and f.follows)),
        missing=() if weight > 0.9 else ("`dmesg -T | grep -i -E 'oom|killed'` and the pod's events of that minute",),
        actions=(_action(row, why),),
        at=row.ref,
    )


def _named(child: str) -> str:
    """A child as a sentence names it: `the detokenizer`, `scheduler_0`; empty for none."""
    return f"the {child}" if child.isalpha() else child


def _action(row: Row, why: str) -> Action:
    """Where the kernel's own line is here there is nothing left to read: what the host must hold is to shrink."""
    if row.table != "kernel_oom":
        return Action(
            do="Read the kernel log of that minute and the memory limit of the container.",
            why="A kill by signal 9 leaves no word in the process itself.",
            verify="The kernel names the process and what it held.",
        )
    room = (
        "Give the machine more memory" if why.startswith(_MACHINE) else "Raise the memory limit of the container or job"
    )
    return Action(
        do=f"{room}, or lower what the host must hold: --hicache-size or --hicache-ratio, loader threads, pinned memory, "
        "the number of ranks that load at once.",
        why="The kernel kills the process that holds the most when nothing can be freed; device memory plays no part.",
        verify="`free -g` (or `memory.current` of the container) keeps a reserve through the load and the host pools.",
    )
