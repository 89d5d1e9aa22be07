"""Whose lines these are: a log may be another program's, and then nothing of it is judged.

Most families hold lines that only SGLang prints. A traceback, an access line of uvicorn, a word of torch, the shell or
the kernel stands in the logs of many programs: where nothing else is there, a server that announces itself by another
name, a kernel that speaks of other processes only, or a traceback that begins in somebody's script and never enters
SGLang, shows that it is not SGLang's log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from logscope.errors import NotApplicable
from logscope.facts.failures import Failure, failures
from logscope.launch import Launch, Row
from logscope.quantity import LineRef
from logscope.shapes import families

_VLLM = ("vLLM API server version ", "Initializing an LLM engine (v", "Initializing a V1 LLM engine (v")
_KERNEL = ("kernel_log", "kernel_oom")
# Names under which a process of the server or its driver stands in a kernel's log; torch renames its main thread.
_PROCESS = re.compile(r"sgl|python|pt_main|ray::|torchrun|nvidia|NVRM", re.IGNORECASE)
_OWN = re.compile(r"sgl", re.IGNORECASE)  # sglang, sgl_kernel, sgl-workspace, sgl_jax
_LIBRARY = re.compile(r"site-packages|dist-packages|lib(?:64)?/python3|<")


@dataclass(frozen=True, slots=True)
class Program:
    """Another program whose log this is, and the line that shows it."""

    name: str
    ref: LineRef
    announces: bool = True  # it says its own name; a kernel's excerpt may leave out the line that names the server


def other_program(launch: Launch) -> Program:
    """The program that printed this launch instead of SGLang. Raises NotApplicable where nothing shows another."""
    if not launch.has(*(name for name in launch.tables if not families()[name].shared)):
        header = next((row.ref for row in launch.rows("vllm_log") if row["text"].startswith(_VLLM)), None)
        if header is not None:
            return Program("a vLLM server", header)
        other = launch.first_row("other_server")
        if other is not None:
            return Program(f"a server of {other['program']}", other.ref)
        if not launch.has(*(name for name in launch.tables if name not in _KERNEL)):
            lines = [row for name in _KERNEL for row in launch.rows(name)]
            if lines and not any(_may_be_of_server(row) for row in lines):
                return Program("a kernel that names no process of SGLang", lines[-1].ref, announces=False)
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


def _may_be_of_server(row: Row) -> bool:
    """Whether a line of the kernel names a process of the server, or a kill without naming whose."""
    named = row.get("process") if row.table == "kernel_oom" else row.get("text")
    return named is None or bool(_PROCESS.search(str(named)))


def _of_a_script(failure: Failure) -> bool:
    """Whether a traceback begins in a file that somebody ran, and no frame and no word is SGLang's."""
    frames = failure.chain[-1].frames
    begins = bool(frames) and frames[0].function == "<module>" and not _LIBRARY.search(frames[0].file)
    return begins and not _OWN.search(failure.text)
