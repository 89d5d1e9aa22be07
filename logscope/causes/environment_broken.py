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

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.facts.lacking import AMBIGUOUS, lacking, of_runtime, taken
from logscope.facts.tracebacks import Raised
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import ends
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The environment lacks what the server needs"


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
        yield _made(case, root, 0.9, said, _lines(root, root.chain[0]) if root.chain else ())
        return
    row = taken(root)
    if row is not None:
        yield _made(case, root, 0.93, str(row.get("text") or row.get("what")), (row.ref,))
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
    yield _made(case, root, weight, f"{raised.type.rpartition('.')[2]}: {line.strip()}", _lines(root, raised))


def _first(root: Failure) -> str:
    """The first line of the exception's message that says something."""
    return next((line for raised in root.chain for line in raised.message.split("\n") if line.strip()), "")


def _lines(root: Failure, raised: Raised) -> tuple[LineRef, ...]:
    """The exception and the lines of its message."""
    count = min(len(raised.message.split("\n")), 5)
    return tuple(root.row.line_of_text(raised.offset + place) for place in range(count))


def _compiler(case: Case, root: Failure) -> tuple[LineRef, ...]:
    """What a compiler said inside the record."""
    rows = [row for row in case.launch.rows("kernel_compile") if row.get("event") == "failed"]
    return tuple(row.ref for row in rows if root.ref <= row.ref <= LineRef(root.ref.path, root.row.last_line + 3))[:2]


def _made(case: Case, root: Failure, weight: float, said: str, lines: tuple[LineRef, ...] = ()) -> Hypothesis:
    return Hypothesis(
        cause="environment_broken",
        weight=weight,
        sentence=f"The server needs something that this machine does not give it: {said[:240]}",
        evidence=tuple(dict.fromkeys((*lines, root.decisive, root.ref, *_compiler(case, root)))),
        confidence="certain" if weight >= 0.95 else "likely",
        fraction=WAY,
        chain=ends(case, root, "what is missing"),
        actions=(
            Action(
                do="Install, free or correct what the message names, then start again with the same arguments.",
                why="Nothing in the arguments or in the memory settings is at fault.",
                verify="The next start gets past this line.",
            ),
        ),
        at=root.ref,
    )
