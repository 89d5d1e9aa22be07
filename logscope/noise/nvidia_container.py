r"""Banner and licence text that NVIDIA's images print when a container starts.

Why
    It names the image, not the server. That no driver or no shared memory was found is not passed over.

Sample
    == CUDA ==
    CUDA Version 12.4.1
    Container image Copyright (c) 2016-2023, NVIDIA CORPORATION & AFFILIATES. All rights reserved.
    This container image and its contents are governed by the NVIDIA Deep Learning Container License.
    By pulling and using the container, you accept the terms and conditions of this license:
    https://developer.nvidia.com/ngc/nvidia-deep-learning-container-license
    A copy of this license is made available in this container at /NGC-DL-CONTAINER-LICENSE for your convenience.
    == PyTorch ==
    NVIDIA Release 25.01 (build 134983853)
    PyTorch Version 2.6.0a0+ecf3bae40a
    Various files include modifications (c) NVIDIA CORPORATION & AFFILIATES.  All rights reserved.
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "NVIDIA container"
_REASON = "a banner of the image"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"== [\w .-]+ ==\s*$",
        starts=("== ",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:CUDA|PyTorch|Triton Inference Server) Version [\d.]+\S*\s*$",
        starts=(
            "CUDA Version ",
            "PyTorch Version ",
            "Triton Inference Server Version",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:Container image Copyright \(c\)|This container image and its contents are governed by|By pulling and using the container,|A copy of this license is made available in this container|https://developer\.nvidia\.com/ngc/|NVIDIA Release \d|Various files include modifications \(c\)|Copyright \(c\) .*NVIDIA).*$",
        starts=(
            "Container image Copyright",
            "This container image and",
            "By pulling and using",
            "A copy of this license",
            "https://developer.nvidia",
            "NVIDIA Release ",
            "Various files include",
            "Copyright (c) ",
        ),
    ),
)
