"""What an allocator said when it failed: whose memory, how much was asked for, what was free.

Source: torch `c10/cuda/CUDACachingAllocator.cpp` and its siblings; Metal command buffers; `alloc_cpu.cpp`; oneDNN.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.errors import FactMissing
from logscope.facts.failures import Failure, failures
from logscope.launch import Launch, Row
from logscope.quantity import Interval, Quantity

_GIB = {
    "bytes": 2.0**-30,
    "B": 2.0**-30,
    "KiB": 2.0**-20,
    "MiB": 2.0**-10,
    "GiB": 1.0,
    "TiB": 2.0**10,
    "KB": 2.0**-20,
    "MB": 2.0**-10,
    "GB": 1.0,
}
HOST = ("host", "pinned")
_CPU = ("CPU", "oneDNN")


def sentence(failure: Failure) -> Row:
    """The allocator's sentence of a failure; raises FactMissing when it has none."""
    row = failure.marks.get("allocator_failure")
    if row is None:
        raise FactMissing(f"{failure.ref.path}:{failure.ref.line} holds no allocator sentence")
    return row


def of_host(row: Row) -> bool:
    """Whether host memory is meant: pinned buffers and host pools."""
    return str(row.get("backend", "")).lower() in HOST


def on_cpu(row: Row) -> bool:
    """Whether the device of the server is the processor, so that its memory is the host's."""
    return row.get("backend") in _CPU


def on_device(launch: Launch) -> list[Failure]:
    """The failed allocations of a device that follow from nothing else; raises FactMissing when there is none."""
    found = [f for f in failures(launch) if "allocator_failure" in f.marks and not f.follows]
    found = [f for f in found if not of_host(sentence(f))]
    if not found:
        raise FactMissing("no allocator of a device failed")
    return found


def size(row: Row, name: str) -> Quantity:
    """One of the sizes in the sentence, in GiB, as wide as its printing; `name` is requested, free, total …"""
    value, unit = row[name], str(row.get(f"{name}_unit", "bytes"))
    printed = row.quantity(name)
    factor = _GIB.get(unit)
    if factor is None:
        raise FactMissing(f"{row.ref.path}:{row.ref.line} prints {name} in {unit!r}")
    return Quantity(
        name, value * factor, printed.interval * Interval.exact(factor), "GiB", row.ref, "printed", row.rank
    )


def sizes(row: Row, *names: str) -> Iterator[Quantity]:
    """Those of the sizes that the sentence prints."""
    for name in names:
        if row.get(name) is not None:
            try:
                yield size(row, name)
            except FactMissing:
                continue
