r"""Notices of TensorFlow and of XLA, loaded by accident.

Why
    Some packages import TensorFlow when it is there; it registers itself a second time and says so.

Sample
    WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
    2025-03-26 19:26:44.086000: I tensorflow/core/util/port.cc:153] oneDNN custom operations are on. You may see slightly different numerical results.
    E0000 00:00:1743017204.112233   12345 cuda_dnn.cc:8310] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered
    To enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow with the appropriate compiler flags.
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "TensorFlow"
_REASON = "a library that is loaded by accident and not used"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"WARNING: All log messages before absl::InitializeLog\(\) is called are written to STDERR\s*$",
        starts=("WARNING: All log messages",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\d{4}-\d\d-\d\d [\d:.]+: [IWEF] (?:tensorflow|external)/\S+:\d+\] .*$",
        starts=("20",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"[IWEF]0000 00:00:\d+\.\d+ +\d+ \S+:\d+\] .*$",
        starts=(
            "I0000 ",
            "W0000 ",
            "E0000 ",
            "F0000 ",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"To enable the following instructions: .*rebuild TensorFlow.*$",
        starts=("To enable the following instructions",),
    ),
)
