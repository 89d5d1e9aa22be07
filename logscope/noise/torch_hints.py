r"""Advice that torch prints below an error of the device.

Why
    The error itself is a table; the advice is the same text for every fault.

Sample
    CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
    HIP kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
    For debugging consider passing CUDA_LAUNCH_BLOCKING=1
    For debugging consider passing AMD_SERIALIZE_KERNEL=3
    Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
    Search for `cudaErrorIllegalAddress' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "torch"
_REASON = "the same advice below every fault"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:CUDA|HIP|MUSA|XPU) kernel errors might be asynchronously reported at some other API call.*$",
        starts=(
            "CUDA kernel errors might",
            "HIP kernel errors might",
            "MUSA kernel errors might",
            "XPU kernel errors might",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"For debugging consider passing \w+=\d\.?\s*$",
        starts=("For debugging consider",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:Compile with `TORCH_USE_\w+_DSA` to enable device-side assertions\.|Device-side assertions? tracking was not enabled.*)\s*$",
        starts=(
            "Compile with `TORCH_USE",
            "Device-side assertion",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"Search for `\w+' in https://\S+ for more information\.\s*$",
        starts=("Search for `",),
    ),
)
