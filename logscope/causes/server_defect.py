"""An exception in the server's own code, on a shape, a key or a type.

What it is
    A fault of the server: its own frames raised, and the text speaks of neither memory nor a device nor a peer.

How to tell
    The first exception by time has its innermost frames in the server's code (or in a library it called with values of
    its own), and carries no allocator, device, collective or argument text.

Not to be taken for
    A follower's exception (closed connections). `environment_broken`: an import, a version, an architecture.
    `configuration_refused`: a refusal while arguments are checked.

What to do
    Search the tracker for the innermost frame and the message; report it with the arguments and the traceback. Leave the
    fraction.

Source
    `run_scheduler_process` (`managers/scheduler.py`) prints the traceback.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import brief, ends, innermost

_PROCESSES = {
    "run_scheduler_process": "The scheduler",
    "run_detokenizer_process": "The detokenizer",
    "run_data_parallel_controller_process": "The data-parallel controller",
    "launch_server": "The main process",
}
WAY: Way = "leave"
TITLE = "An exception in the server's own code"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The root failure is a plain exception."""
    root = case.root
    if root is None:
        yield from _of_update(case)
        return
    if set(root.marks) == {"fatal_signal"} and root.root is None:
        yield _of_signal(case, root)
        return
    if root.root is None or root.marks:
        return
    raised = root.root
    where = raised.frames[-1] if raised.frames else None
    place = f" in {where.function} ({where.file.rsplit('/', 1)[-1]}:{where.line})" if where else ""
    message = brief(raised.message, 200)
    yield Hypothesis(
        cause="server_defect",
        weight=0.55,
        sentence=f"{_who(root)} hit {raised.type}{place} while {_doing(root.phase)}{f': {message}' if message else '.'}",
        evidence=tuple(dict.fromkeys((root.decisive, *root.message_lines, *innermost(root), root.ref))),
        confidence="likely",
        fraction=WAY,
        chain=ends(case, root, f"{raised.type}: {message}"),
        actions=(
            Action(
                do=f"Search the project's issues for {raised.type!r} and {where.function if where else 'the traceback'!r}; report it if it is new.",
                why="The exception is the server's own; no setting that the log shows explains it.",
                verify="The next log runs past this point without the traceback.",
            ),
        ),
        at=root.ref,
    )


def _of_update(case: Case) -> Iterator[Hypothesis]:
    """New weights that did not fit the running model: the server goes on with a part of them."""
    rows = [row for row in case.launch.rows("weights_update") if row.get("kind") == "failed"]
    rows = [row for row in rows if "out of memory" not in str(row.get("text", ""))]
    done = [row.ref for row in case.launch.rows("weights_update") if row.get("kind") == "end"]
    if not rows or any(ref > rows[-1].ref for ref in done):
        return
    yield Hypothesis(
        cause="server_defect",
        weight=0.5,
        sentence=f"New weights could not be taken over while serving, and what is loaded now is part old, part new: {brief(str(rows[-1].get('text', '')), 200)}",
        evidence=tuple(row.ref for row in rows[-3:]),
        confidence="likely",
        fraction=WAY,
        chain=((rows[-1].ref, "the update of the weights fails"),),
        missing=("the trainer's log of the same second: which parameter it sent, with which shape and dtype",),
        actions=(
            Action(
                do="Load all weights again before the next request (a whole update, or a restart); compare names, shapes and the parallel split of trainer and server.",
                why="A failed update is not rolled back: answers until then come from mixed weights.",
                verify="The update is answered with 200 and the line does not come again.",
            ),
        ),
        at=rows[-1].ref,
    )


def _of_signal(case: Case, root: Failure) -> Hypothesis:
    """A signal of the process itself: the stack of its current thread names the call."""
    stacks = [row for row in case.launch.rows("stack_dump") if "urrent thread" in str(row.get("text", ""))]
    frames = tuple(row.line_of_text(place) for row in stacks[:1] for place in (0, 1))
    signal = root.marks["fatal_signal"].get("signal", "a fatal signal")
    return Hypothesis(
        cause="server_defect",
        weight=0.5,
        sentence=f"{_of_stack(root, stacks)} was ended by {signal} in native code while {_doing(root.phase)}.",
        evidence=tuple(dict.fromkeys((root.decisive, root.ref, *frames))),
        confidence="possible",
        fraction=WAY,
        chain=((root.decisive, f"{signal}"),),
        missing=("the native stack: a core dump, or `py-spy dump --native`",),
        actions=(
            Action(
                do="Read the call that the current thread was in; reproduce it with another backend of that kernel.",
                why="A signal of the process itself is a fault of native code, not of memory settings.",
                verify="With another backend the same load passes.",
            ),
        ),
        at=root.ref,
    )


def _who(root: Failure) -> str:
    return "The main process" if root.rank == "main" else root.rank


def _of_stack(root: Failure, stacks: Sequence[Row]) -> str:
    """Whose stack it is: a dump has no prefix, but its outermost frames name the process's function."""
    if root.rank != "main":
        return root.rank
    text = "\n".join(str(row.get("text", "")) for row in stacks)
    return next((name for function, name in _PROCESSES.items() if function in text), "A process of the server")


def _doing(phase: str) -> str:
    return {
        "arguments": "reading its arguments",
        "init": "initialising",
        "load": "loading weights",
        "pool": "creating its pools",
        "workspace": "preparing its attention workspace",
        "capture": "capturing graphs",
        "warm_up": "warming up",
        "serving": "serving",
        "shutdown": "shutting down",
        "resume": "taking its memory back",
    }.get(phase, "running")
