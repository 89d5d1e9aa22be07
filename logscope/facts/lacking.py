"""What a machine lacks, by the words of an exception: a package, a version, a port, a file, a driver, an architecture.

A sentence of the device's runtime may be one of them: no kernel image, a driver that is older than the runtime, a node
whose fabric is not up. It is then no fault of an access, and it is synchronous.

Source: CPython import system; `huggingface_hub/utils/_http.py`; `transformers` `auto_factory.py`,
`configuration_auto.py`; CUDA error strings; Triton `backends/nvidia/compiler.py`; uvicorn; `assert_pkg_version`.
"""

from __future__ import annotations

import re

from logscope.facts.failures import Failure
from logscope.facts.tracebacks import Raised
from logscope.launch import Launch, Row

_TYPES = (
    "ImportError",
    "ModuleNotFoundError",
    "PackageNotFoundError",
    "HFValidationError",
    "RepositoryNotFoundError",
    "FileNotFoundError",
    "GatedRepoError",
    "LocalEntryNotFoundError",
    "EntryNotFoundError",
    "RevisionNotFoundError",
    "PermissionError",
    "VersionConflict",
    "CalledProcessError",
    "PTXASError",
    "SafetensorError",
    "LocalTokenNotFoundError",
)
_SAYS = re.compile(
    r"no module named|module '(?!sglang)[\w.]+' has no attribute|out of resource: shared memory"
    r"|cannot import name|no such file or directory|address already in use|not compiled with"
    r"|no kernel image is available"
    r"|undefined symbol|cannot open shared object|(?:is )?not installed"
    r"|version .*(?:required|mismatch|conflict|incompatible)|requires .*(?:>=|<=|==)"
    r"|driver (?:version )?is (?:too old|insufficient)|sm_?\d+a? is not (?:supported|compatible|defined)"
    r"|unsupported (?:gpu )?architecture|compute capability"
    r"|no nvidia driver|libcuda|repo id must be|is not a local folder|is not a valid model identifier"
    r"|does not appear to have a file named"
    r"|couldn't connect to|offline mode|no space left on device|permission denied|has no attribute"
    r"|no (?:cuda|hip|xpu|npu) gpus are available"
    r"|no cuda-capable device|unsupported toolchain|unsupported display driver|system not yet initialized"
    r"|minimum capability"
    r"|does not recognize this architecture|gated repo|\d{3} (?:client|server) error|repository not found|ptxas fatal"
    r"|not supported for the current gpu"
    r"|EADDRINUSE|less than the minimum required|incorrectly set up environment"
    r"|can(?:not|'t) load tokenizer|could not find nvcc|CUDA_HOME"
    r"|trust_remote_code=True|headers? too large|MetadataIncompleteBuffer|InvalidHeaderDeserialization"
    r"|checksum|forward compatibility was attempted"
    r"|only supports? [\w-]+ (?:gpus?|devices?|architectures?)|are not supported for now|no binary for gpu"
    r"|torch not compiled|found no nvidia driver|error building extension|ninja",
    re.IGNORECASE,
)
_DEVICE = re.compile(
    r"no kernel image|driver version is insufficient|no cuda-capable device|unsupported toolchain"
    r"|unsupported display driver"
    r"|system not yet initialized|forward compatibility was attempted|incorrectly set up environment"
    r"|named symbol not found|invalid device ordinal|NoBinaryForGpu|Unable to find code object",
    re.IGNORECASE,
)
_TAKEN = re.compile(r"EADDRINUSE|address already in use", re.IGNORECASE)
_SPACE = re.compile(
    r"no space left on device|too many open files|/dev/shm/|shared memory segment|insufficient shared memory",
    re.IGNORECASE,
)
_MANY = 100_000
_CAPTURE = re.compile(r"captur", re.IGNORECASE)
OF_FILES = "from_pretrained"
AMBIGUOUS = "has no attribute"
_BUILT_IN = re.compile(r"'(?:NoneType|bool|int|float|str|bytes|list|tuple|dict|set|function)' object has no attribute")


def of_runtime(failure: Failure) -> bool:
    """Whether the device's sentence speaks of the installation: kernels, driver, fabric."""
    row = failure.marks.get("device_fault")
    return row is not None and bool(_DEVICE.search(str(row.get("fault", ""))))


def of_capture(failure: Failure) -> bool:
    """Whether the device's sentence says that a graph capture forbids the call: no access and no kernel is at fault."""
    row = failure.marks.get("device_fault")
    return row is not None and bool(_CAPTURE.search(str(row.get("fault", ""))))


def taken(failure: Failure) -> Row | None:
    """The line that says that a port is in use, or that a file system of the machine is full."""
    for name in ("collective_failure", "allocator_failure", "uvicorn"):
        row = failure.marks.get(name)
        if row is None:
            continue
        said = f"{row.get('text', '')} {row.get('what', '')}"
        if _TAKEN.search(said) or _SPACE.search(said):
            return row
    return None


def warned(launch: Launch, failure: Failure) -> list[Row]:
    """NCCL's own warning above its error: that the shared memory of the container is too small for it."""
    if "collective_failure" not in failure.marks or launch.table("nccl").num_rows > _MANY:
        return []
    rows = (row for row in launch.rows("nccl") if row.get("level") == "WARN" and row.ref <= failure.decisive)
    return [row for row in rows if _SPACE.search(str(row.get("text", "")))]


def lacking(failure: Failure) -> tuple[Raised, str] | None:
    """The exception of the chain that names what is missing, with the words that do; None when none does."""
    best: tuple[Raised, str] | None = None
    for raised in failure.chain:
        says = _SAYS.search(f"{raised.message}")
        typed = raised.type.rpartition(".")[2] in _TYPES
        if typed or (says and says[0].lower() != AMBIGUOUS):
            return raised, "" if typed else says[0] if says else ""
        if says and best is None and not _BUILT_IN.search(raised.message):
            best = raised, AMBIGUOUS
    return best or _of_model_files(failure)


def _of_model_files(failure: Failure) -> tuple[Raised, str] | None:
    """The exception of a library while it reads the configuration or the tokenizer of a model."""
    for raised in failure.chain:
        reads = any(frame.function == OF_FILES for frame in raised.frames)
        if reads and "/sglang/" not in raised.frames[-1].file:
            return raised, OF_FILES
    return None
