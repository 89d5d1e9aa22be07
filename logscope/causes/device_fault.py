"""The device or a kernel on it failed: illegal access, device-side assertion, NaN, hardware exception.

What it is
    A fault of a kernel or of the hardware. It is asynchronous: the Python frame is where it surfaced, not where it began.

How to tell
    CUDA, HIP or NPU fault text on the first failure; free memory is ample.

Not to be taken for
    An out-of-memory: nothing was asked for. Followers on other ranks that only lose their peer.

What to do
    Run once with CUDA_LAUNCH_BLOCKING=1 (or a coredump) to find the kernel; switch features off one at a time. If it stays
    with one device, suspect the device.

Source
    CUDA runtime, ROCm and CANN error texts; torch `c10/cuda/CUDAException.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.lacking import of_capture, of_runtime
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain, said
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "A kernel or the device failed"

_BLOCKING = {  # what makes a runtime report a fault at the call that caused it
    "CUDA": "CUDA_LAUNCH_BLOCKING=1",
    "HIP": "AMD_SERIALIZE_KERNEL=3 and HIP_LAUNCH_BLOCKING=1",
    "NPU": "ASCEND_LAUNCH_BLOCKING=1",
    "MUSA": "MUSA_LAUNCH_BLOCKING=1",
    "XPU": "ZE_SERIALIZE=2",
}


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first device fault, unless an allocator failed before it."""
    faults = [f for f in case.originators if "device_fault" in f.marks and not of_runtime(f) and not of_capture(f)]
    if not faults:
        return
    first = faults[0]
    if case.root is not None and case.root is not first and "allocator_failure" in case.root.marks:
        return
    row = first.marks["device_fault"]
    yield Hypothesis(
        cause="device_fault",
        weight=0.92,
        sentence=f"A kernel or the device failed{'' if first.rank == 'main' else f' on {first.rank}'}: {row.get('fault', said(first))}. The fault is asynchronous: the frame shows where it surfaced.",
        evidence=tuple(
            dict.fromkeys(
                (
                    first.decisive,
                    row.ref,
                    *first.message_lines[:1],
                    first.ref,
                    *_raised(case),
                    *_cut(case),
                    *_memory(case),
                    *(f.decisive for f in faults[1:3]),
                )
            )
        ),
        confidence="certain",
        fraction=WAY,
        chain=chain(case, first, "the device reports the fault"),
        ruled_out=(("forward_out_of_memory", "the text names a fault of an access or a kernel, no allocation"),),
        missing=() if case.launch.has("server_args") else ("the server_args line",),
        actions=(
            Action(
                do=f"Reproduce once with {_BLOCKING.get(str(row.get('backend')), _BLOCKING['CUDA'])}, then without graphs, then without speculation.",
                why="The printed frame is where an earlier fault surfaced.",
                verify="The traceback then names the kernel.",
                risk="Much slower while it is set.",
            ),
        ),
        at=first.decisive,
    )


def _raised(case: Case) -> Iterator[LineRef]:
    """The first exception of all originators: the runtime prints its own account in lines of their own."""
    raised = next((failure for failure in case.originators if failure.chain), None)
    if raised is not None:
        yield from raised.message_lines[:1]


def _cut(case: Case) -> Iterator[LineRef]:
    """The head of a traceback whose exception was cut away: the fault beside it is what it would name."""
    for failure in case.originators[:2]:
        if failure.kind == "failure" and not failure.chain:
            yield failure.ref


def _memory(case: Case) -> Iterator[LineRef]:
    """Free memory next to the fault, which shows that memory is not the reason."""
    rows = [row for row in case.launch.rows("load_weight") if row.get("kind") == "end"]
    if rows and not case.launch.has("capacity"):
        yield rows[-1].ref
        yield LineRef(rows[-1].ref.path, rows[-1].last_line)
