"""Whose lines these are: a log may be another program's, and then nothing of it is judged.

Most families hold lines that only SGLang prints. A traceback, an access line of uvicorn, a word of torch, the shell or
the kernel stands in the logs of many programs: where nothing else is there, a server that announces itself by another
name, or a traceback that begins in somebody's script and never enters SGLang, shows that it is not SGLang's log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from logscope.errors import NotApplicable
from logscope.facts.failures import Failure, failures
from logscope.launch import Launch
from logscope.quantity import LineRef

# Families whose lines other programs print too.
SHARED = frozenset(
    (
        *("failure", "allocator_failure", "device_fault", "collective_failure", "fatal_signal", "crash_dump"),
        *("import_failure", "stack_dump", "kernel_resource", "kernel_compile", "nccl", "gloo_connection", "torch_log"),
        *("python_log", "python_runtime", "python_warning", "garbage_collection", "progress", "progress_bar"),
        *("uvicorn", "http_access", "bootstrap_access", "ray_log", "vllm_log", "model_import", "tokenizer_length"),
        *("shell", "kernel_log", "kernel_oom", "pod_status", "container_runtime", "systemd_unit", "launcher_exit"),
        *("nvidia_smi", "transfer_engine", "deep_ep"),
    )
)
_VLLM = ("vLLM API server version ", "Initializing an LLM engine (v", "Initializing a V1 LLM engine (v")
_OWN = re.compile(r"sgl", re.IGNORECASE)  # sglang, sgl_kernel, sgl-workspace, sgl_jax
_LIBRARY = re.compile(r"site-packages|dist-packages|lib(?:64)?/python3|<")


@dataclass(frozen=True, slots=True)
class Program:
    """Another program whose log this is, and the line that shows it."""

    name: str
    ref: LineRef


def other_program(launch: Launch) -> Program:
    """The program that printed this launch instead of SGLang. Raises NotApplicable where nothing shows another."""
    if not launch.has(*(name for name in launch.tables if name not in SHARED)):
        header = next((row.ref for row in launch.rows("vllm_log") if row["text"].startswith(_VLLM)), None)
        if header is not None:
            return Program("a vLLM server", header)
        told = [failure for failure in failures(launch) if failure.chain]
        if told and all(_of_a_script(failure) for failure in told):
            return Program("a Python program that never enters SGLang", told[0].decisive)
    raise NotApplicable("nothing shows that these lines are another program's")


def is_own(launch: Launch) -> bool:
    """Whether nothing shows that these lines are another program's."""
    try:
        other_program(launch)
    except NotApplicable:
        return True
    return False


def program(launch: Launch) -> str:
    """Whose lines these are: "SGLang", or what `other_program` says; "no line of SGLang" where no family took one."""
    if not is_own(launch):
        return other_program(launch).name
    return "SGLang" if launch.tables else "no line of SGLang"


def _of_a_script(failure: Failure) -> bool:
    """Whether a traceback begins in a file that somebody ran, and no frame and no word is SGLang's."""
    frames = failure.chain[-1].frames
    begins = bool(frames) and frames[0].function == "<module>" and not _LIBRARY.search(frames[0].file)
    return begins and not _OWN.search(failure.text)
