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

from collections.abc import Iterator

from logscope.case import Case
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import innermost

WAY: Way = "leave"
TITLE = "An exception in the server's own code"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The root failure is a plain exception."""
    root = case.root
    if root is None or root.root is None or root.marks:
        return
    raised = root.root
    where = raised.frames[-1] if raised.frames else None
    place = f" in {where.function} ({where.file.rsplit('/', 1)[-1]}:{where.line})" if where else ""
    message = raised.message.split("\n")[0][:200]
    yield Hypothesis(
        cause="server_defect",
        weight=0.55,
        sentence=f"{root.rank} hit {raised.type}{place} while {_doing(root.phase)}: {message}",
        evidence=tuple(dict.fromkeys((root.decisive, *innermost(root), root.ref))),
        confidence="likely",
        fraction=WAY,
        chain=(
            (root.decisive, f"{raised.type}: {message}"),
            *((f.ref, f.follows or "the same end, seen elsewhere") for f in case.lasting if f is not root),
        ),
        actions=(
            Action(
                do=f"Search the project's issues for {raised.type!r} and {where.function if where else 'the traceback'!r}; report it if it is new.",
                why="The exception is the server's own; no setting that the log shows explains it.",
                verify="The next log runs past this point without the traceback.",
            ),
        ),
        at=root.ref,
    )


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
