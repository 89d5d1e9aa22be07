r"""What the ROCm runtime says of the core dump that it makes after a fault.

Why
    The fault itself is a table; whether a dump was written tells nothing of its reason.

Sample
    GPU core dump failed
    GPU core dump created: gpucore.4711
    GPU coredump: handler exited with error (status: 1)
"""

from __future__ import annotations

from logscope.family import Noise

NOISE = (
    Noise(
        "ROCm runtime",
        "a dump after a fault that is told elsewhere",
        r"GPU core ?dump(?: failed| created: .*|: .*)\s*$",
        starts=("GPU core",),
    ),
)
