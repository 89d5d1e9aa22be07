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
from logscope.finding import Action, Hypothesis, Way

WAY: Way = "leave"
TITLE = "The environment lacks what the server needs"

_TYPES = (
    "ImportError",
    "ModuleNotFoundError",
    "PackageNotFoundError",
    "HFValidationError",
    "RepositoryNotFoundError",
    "FileNotFoundError",
    "GatedRepoError",
    "LocalEntryNotFoundError",
    "PermissionError",
    "VersionConflict",
    "CalledProcessError",
)
_SAYS = re.compile(
    r"no module named|cannot import name|no such file or directory|address already in use|not compiled with|no kernel image is available"
    r"|undefined symbol|cannot open shared object|(?:is )?not installed|version .*(?:required|mismatch|conflict|incompatible)|requires .*(?:>=|<=|==)"
    r"|driver (?:version )?is (?:too old|insufficient)|sm_?\d+ is not (?:supported|compatible)|unsupported (?:gpu )?architecture|compute capability"
    r"|no nvidia driver|libcuda|repo id must be|is not a local folder|is not a valid model identifier|does not appear to have a file named"
    r"|couldn't connect to|offline mode|no space left on device|permission denied|has no attribute|no cuda gpus are available",
    re.IGNORECASE,
)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first failure names something that the machine lacks."""
    root = case.root
    if root is None:
        return
    if "uvicorn" in root.marks:
        yield _made(case, root, 0.95, str(root.marks["uvicorn"].get("text", "the port could not be bound")))
        return
    if "import_failure" in root.marks:
        yield _made(case, root, 0.9, str(root.marks["import_failure"].get("text", "an import failed")))
        return
    raised = root.root
    if raised is None or set(root.marks) - {"fatal_signal"}:
        return
    typed = raised.type.rpartition(".")[2] in _TYPES
    says = _SAYS.search(raised.message)
    if not typed and not says:
        return
    weight = 0.9 if typed else 0.8
    if says and says[0].lower() == "has no attribute" and not typed:
        weight = 0.5  # as often a fault of the server as a package of another version
    yield _made(case, root, weight, f"{raised.type.rpartition('.')[2]}: {raised.message}".split("\n")[0])


def _made(case: Case, root: Failure, weight: float, said: str) -> Hypothesis:
    return Hypothesis(
        cause="environment_broken",
        weight=weight,
        sentence=f"The server needs something that this machine does not give it: {said[:240]}",
        evidence=(root.decisive, root.ref),
        confidence="certain" if weight >= 0.95 else "likely",
        fraction=WAY,
        chain=(
            (root.decisive, "what is missing"),
            *((f.ref, f.follows or "the same end, seen elsewhere") for f in case.failures if f is not root),
        ),
        actions=(
            Action(
                do="Install, free or correct what the message names, then start again with the same arguments.",
                why="Nothing in the arguments or in the memory settings is at fault.",
                verify="The next start gets past this line.",
            ),
        ),
        at=root.ref,
    )
