"""A missing package, a wrong version, a port in use, a missing file, an unsupported kernel or architecture.

What it is
    The machine or the image lacks what the server needs; its own code and its flags are not at fault.

How to tell
    Import, version, bind, file and architecture texts on the first failure; a library that fails while it reads the
    configuration or the tokenizer of the model.

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
from dataclasses import replace

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.facts.lacking import AMBIGUOUS, OF_FILES, lacking, of_runtime, taken, warned
from logscope.facts.tracebacks import Raised
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

_CURES = tuple(
    (re.compile(says, re.IGNORECASE), do)
    for says, do in {
        r"no space left on device": "Free space on the file system that is full (`df -h`), or point HF_HOME or --download-dir "
        "to a larger one.",
        r"SafetensorError|MetadataIncompleteBuffer|InvalidHeader|headers? too large|checksum": "Compare the sizes of the "
        "weight files with those of the repository, delete the one that is cut short and download it again.",
        r"gated repo|40[13] client error|unauthorized": "Ask for access to the repository with the account of the token, and "
        "give the server that token: HF_TOKEN.",
        r"undefined symbol": "Install the package of the file that the line names in the version that was built for the "
        "installed torch (`pip list | grep -i -E 'torch|sgl|flashinfer'`).",
        r"no kernel image|minimum capability|not supported for the current gpu": "Take a build whose kernels include the "
        "architecture of this card, or a quantization or backend that supports it.",
        r"No such file or directory: '[\w.+-]+'$": "Install the program that the line names, and put it on the PATH of the "
        "server.",
    }.items()
)
_ANY = "Install, free or correct what the message names, then start again with the same arguments."
_FILES = (
    "Check that the model's folder holds its configuration and tokenizer files whole, and that the installed transformers "
    "knows this model; load both with `AutoTokenizer.from_pretrained` outside of the server."
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
        behind = _behind(case, root)
        texts = [str(row.get("text")) for row in (*behind, root.marks["import_failure"]) if row.get("text")]
        quoted = _quoted(root, root.chain[0]) if root.chain else ()
        yield _made(case, root, 0.9, next(iter((*texts, _first(root)))), (*(row.ref for row in behind), *quoted))
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
    if words == OF_FILES:
        yield _of_files(case, root, raised)
        return
    lines = [line for line in raised.message.split("\n") if line.strip()] or [""]
    line = next((line for line in lines if words and words.lower() in line.lower()), lines[0])
    fatal = [row for row in _compiler(case, root) if "fatal" in str(row.get("text", ""))]
    told = str(fatal[0]["text"]) if fatal else f"{raised.type.rpartition('.')[2]}: {brief(line)}"
    yield _made(case, root, weight, told, (*(row.ref for row in fatal), *_quoted(root, raised)))


def _of_files(case: Case, root: Failure, raised: Raised) -> Hypothesis:
    """A library could not read what the model's folder holds."""
    where = raised.frames[-1].function
    made = _made(case, root, 0.7, f"{raised.type.rpartition('.')[2]}: {brief(raised.message)}", _quoted(root, raised))
    told = f"The model's own files could not be read: {where} raised {raised.type}: {brief(raised.message)}"
    return replace(made, sentence=told, actions=(replace(made.actions[0], do=_FILES),))


def _behind(case: Case, root: Failure) -> list[Row]:
    """What each attempt of an import said, where a list of them stands below the exception."""
    end = LineRef(root.ref.path, root.row.last_line + _NEAR)
    return [row for row in case.launch.rows("import_failure") if root.row.last_line < row.ref.line and row.ref <= end]


def _quoted(root: Failure, raised: Raised) -> tuple[LineRef, ...]:
    """The exception with its message, and what the last one of the chain says to the user."""
    last = root.lines_of(root.chain[-1])[:2] if raised is not root.chain[-1] else ()
    return (*root.lines_of(raised)[:5], *last)


def _first(root: Failure) -> str:
    """The first line of the exception's message that says something."""
    return next((line for raised in root.chain for line in raised.message.split("\n") if line.strip()), "")


def _last(root: Failure) -> tuple[LineRef, ...]:
    """The exception that ended the process, where it was raised from another: it names the remedy."""
    return root.lines_of(root.chain[-1])[:1] if len(root.chain) > 1 else ()


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
        evidence=tuple(
            dict.fromkeys((*lines, root.decisive, *_last(root), root.ref, *(row.ref for row in _compiler(case, root))))
        ),
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
    known = next((do for pattern, do in _CURES if pattern.search(said)), "")
    return Action(
        do=f"Do what the message says: {cure}" if cure and not known else known or _ANY,
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
