"""The device or a kernel on it failed: illegal access, device-side assertion, NaN, hardware exception.

What it is
    A fault of a kernel or of the hardware. It is asynchronous: the Python frame is where it surfaced, not where it began.

How to tell
    CUDA, HIP or NPU fault text on the first failure; free memory is ample.

Not to be taken for
    An out-of-memory: nothing was asked for. Followers on other ranks that only lose their peer. A DeepEP kernel that
    waited too long and ended itself (`collective_stalled`).

What to do
    Run once with CUDA_LAUNCH_BLOCKING=1 (or a coredump) to find the kernel; switch features off one at a time. If it stays
    with one device, suspect the device. An ECC error, a card off the bus or a broken link is the card's own: drain it.

Source
    CUDA runtime, ROCm and CANN error texts; torch `c10/cuda/CUDAException.cpp`;
    NVIDIA Xid catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.lacking import of_capture, of_runtime
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import chain
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


_HARDWARE = re.compile(
    r"\bECC\b|fallen off the bus|hardware (?:error|exception|stack error)|NVLink|row remap", re.IGNORECASE
)
_XIDS_OF_HARDWARE = ("48", "62", "63", "64", "74", "79", "92", "94", "95", "110", "119", "120", "140")
_TRAP = re.compile(r"unspecified launch failure|\btrap\b", re.IGNORECASE)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first device fault, unless an allocator failed before it or an expert exchange gave up on the device."""
    faults = [f for f in case.originators if "device_fault" in f.marks and not of_runtime(f) and not of_capture(f)]
    if not faults:
        return
    first = faults[0]
    if case.root is not None and case.root is not first and "allocator_failure" in case.root.marks:
        return
    row = first.marks["device_fault"]
    if _gave_up(case, row):
        return
    surfaced = " The fault is asynchronous: the frame shows where it surfaced." if first.frames else ""
    yield Hypothesis(
        cause="device_fault",
        weight=0.92,
        sentence=f"{_failed(row)}{'' if first.rank == 'main' else f' on {first.rank}'}: {_told(row)}.{surfaced}",
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
        actions=(_drain(row) if _of_hardware(row) else _reproduce(row),),
        at=first.decisive,
    )


def _gave_up(case: Case, fault: Row) -> bool:
    """Whether a kernel of an expert exchange printed that it waited too long: it then ends itself with a trap."""
    waited = [row for row in case.launch.rows("deep_ep") if row.get("side") == "device"]
    return bool(waited and _TRAP.search(str(fault.get("fault", ""))))


def _of_hardware(row: Row) -> bool:
    if row.get("fault") == "Xid":
        return str(row.get("code")) in _XIDS_OF_HARDWARE
    return bool(_HARDWARE.search(f"{row.get('fault', '')} {row.get('text', '')}"))


def _failed(row: Row) -> str:
    return "The device itself failed" if _of_hardware(row) else "A kernel or the device failed"


def _told(row: Row) -> str:
    """The fault with its number and what the driver adds, without its full stop."""
    number = f" {row['code']}" if row.get("code") else ""
    rest = f" ({row['text'].strip(' .,')})" if row.get("text") else ""
    return f"{str(row.get('fault', 'a fault')).rstrip('.')}{number}{rest}"


def _reproduce(row: Row) -> Action:
    return Action(
        do=f"Reproduce once with {_BLOCKING.get(str(row.get('backend')), _BLOCKING['CUDA'])}, then without graphs, then without speculation.",
        why="The printed frame is where an earlier fault surfaced.",
        verify="The traceback then names the kernel.",
        risk="Much slower while it is set.",
    )


def _drain(row: Row) -> Action:
    where = f" at {row['address']}" if row.get("fault") == "Xid" and row.get("address") else ""
    return Action(
        do=f"Take the card{where} out of service and reset it; read `nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT` and `dmesg | grep -i xid` on its host.",
        why="Memory or link of the card failed: no argument of the server changes that.",
        verify="The same server runs on another card; the counters of this one stay still after the reset.",
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
