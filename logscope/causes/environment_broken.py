"""A missing package, a wrong version, a port in use, a missing file, an unsupported kernel or architecture.

What it is
    The machine or the image lacks what the server needs; its own code and its flags are not at fault.

How to tell
    Import, version, bind, file and architecture texts on the first failure.

Not to be taken for
    `configuration_refused`: a flag or a combination that the server itself refuses. `server_defect`: a shape, key or type.

What to do
    Install, free or correct what the message names. Leave the fraction.

Source
    CPython import errors; uvicorn's bind error; CUDA's "no kernel image"; the hub client's repository errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.facts.lacking import AMBIGUOUS, lacking, of_runtime, taken, warned
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import brief, ends, remedy
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The environment lacks what the server needs"

_NEAR = 3  # lines between the record and what belongs to it
_BOUND = re.compile(
    r"EADDRINUSE|address already in use|port \d+ is (?:already )?(?:in use|not available)", re.IGNORECASE
)
_SHARED_MEMORY = re.compile(r"\bshm\b|shared memory segment|insufficient shared memory", re.IGNORECASE)
_PORT = re.compile(r"', (\d+)\)|port:? (\d{2,5})|\]:(\d{2,5})|:(\d{4,5})\b", re.IGNORECASE)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first failure names something that the machine lacks."""
    root = case.root
    if root is None:
        return
    if "uvicorn" in root.marks:
        yield _made(case, root, 0.95, str(root.marks["uvicorn"].get("text", "the port could not be bound")))
        return
    if "import_failure" in root.marks:
        said = str(root.marks["import_failure"].get("text") or _first(root) or "an import failed")
        yield _made(case, root, 0.9, said, root.lines_of(root.chain[0])[:5] if root.chain else ())
        return
    rows = [row] if (row := taken(root)) else warned(case.launch, root)
    if rows:
        said = str(rows[-1].get("text") or rows[-1].get("what"))
        yield _made(case, root, 0.93, said, tuple(row.ref for row in rows[-3:]))
        return
    if set(root.marks) - {"fatal_signal"} and not of_runtime(root):
        return
    found = lacking(root)
    if found is None:
        if of_runtime(root):
            row = root.marks["device_fault"]
            yield _made(case, root, 0.88, str(row["fault"]), (row.ref,))
        return
    raised, words = found
    weight = 0.9 if not words or of_runtime(root) else 0.8
    if words == AMBIGUOUS:
        weight = 0.5  # as often a fault of the server as a package of another version
    lines = [line for line in raised.message.split("\n") if line.strip()] or [""]
    line = next((line for line in lines if words and words.lower() in line.lower()), lines[0])
    fatal = [row for row in _compiler(case, root) if "fatal" in str(row.get("text", ""))]
    told = str(fatal[0]["text"]) if fatal else f"{raised.type.rpartition('.')[2]}: {brief(line)}"
    yield _made(case, root, weight, told, (*(row.ref for row in fatal), *root.lines_of(raised)[:5]))


def _first(root: Failure) -> str:
    """The first line of the exception's message that says something."""
    return next((line for raised in root.chain for line in raised.message.split("\n") if line.strip()), "")


def _compiler(case: Case, root: Failure) -> list[Row]:
    """What a compiler said inside the record: its own word first, then what broke off for it."""
    rows: list[Row] = []
    reach = root.row.last_line + _NEAR
    for row in case.launch.rows("kernel_compile"):
        if root.ref <= row.ref <= LineRef(root.ref.path, reach):
            reach = max(reach, row.last_line + _NEAR)  # a build prints one line below the other
            rows += [row] if row.get("event") == "failed" else []
    return sorted(rows, key=lambda row: "fatal" not in str(row.cells))[:2]


def _made(case: Case, root: Failure, weight: float, said: str, lines: tuple[LineRef, ...] = ()) -> Hypothesis:
    return Hypothesis(
        cause="environment_broken",
        weight=weight,
        sentence=f"The server needs something that this machine does not give it: {brief(said)}",
        evidence=tuple(dict.fromkeys((*lines, root.decisive, root.ref, *(row.ref for row in _compiler(case, root))))),
        confidence="certain" if weight >= 0.95 else "likely",
        fraction=WAY,
        chain=ends(case, root, "what is missing"),
        actions=(_action(case, root, said),),
        at=root.ref,
    )


def _action(case: Case, root: Failure, said: str) -> Action:
    verify = "The next start gets past this line."
    if _BOUND.search(said):
        port = _port(case, root)
        return Action(
            do=f"Find who listens on port {port or 'PORT'} (`ss -ltnp 'sport = :{port or 'PORT'}'`), end it, or start with another --port.",
            why="A leftover server of an earlier start is the usual owner; it may hold device memory too.",
            verify=verify,
        )
    if _SHARED_MEMORY.search(said):
        return Action(
            do="Give the container more shared memory: --shm-size 32g or --ipc=host (docker), an emptyDir of medium Memory at /dev/shm (Kubernetes).",
            why="Processes of one server exchange data through /dev/shm; docker gives 64 MiB of it unless asked.",
            verify="`df -h /dev/shm` shows it; the next start gets past this line.",
        )
    cure = remedy(" ".join(raised.message for raised in root.chain))
    return Action(
        do=f"Do what the message says: {cure}"
        if cure
        else "Install, free or correct what the message names, then start again with the same arguments.",
        why="Nothing in the arguments or in the memory settings is at fault.",
        verify=verify,
    )


def _port(case: Case, root: Failure) -> int | None:
    """The port that the line names, else the one of the arguments."""
    words = [str(value) for row in root.marks.values() for value in row.values() if isinstance(value, str)]
    found = _PORT.search(" ".join([*words, *(raised.message for raised in root.chain)]))
    if found:
        return int(next(group for group in found.groups() if group))
    port = case.launch.arguments.get("port")
    return port if isinstance(port, int) else None
