"""A command buffer of Metal failed for memory.

What it says
    The sentence `Command buffer execution failed: Insufficient Memory` is in the log.

Why it matters
    Nothing catches it, and the pool's usage says nothing: private buffers of the requests and the pool share the
    machine. A smaller fraction or fewer running requests leave room.

Example
    kIOGPUCommandBufferCallbackErrorOutOfMemory after healthy decode lines.

Silent when
    No allocator failed, or another one did.

Source
    MLX and torch on Metal.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.facts import device_memory
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "warning"
KIND = "signature"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = device_memory.failures_of_devices(launch)
    if not rows:
        raise FactMissing("no allocator of a device failed")

    metal = [row for row in rows if str(row.get("backend", "")).lower() in ("metal", "mps", "mlx")]
    if not metal:
        return None
    return Finding(
        message="A command buffer of Metal failed for memory: pool, private buffers and the machine share it.",
        evidence=(metal[0].ref,),
        rank=metal[0].rank,
    )
