r"""Borders and headings of nvidia-smi's screen.

Why
    The rows with numbers are a table; the frame around them holds none.

Sample
    +-----------------------------------------------------------------------------------------+
    |-----------------------------------------+------------------------+----------------------+
    |=========================================+========================+======================|
    | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
    | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
    |                                         |                        |                  N/A |
    |                                         |                        |             Disabled |
    | Processes:                                                                              |
    |  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
    |        ID   ID                                                               Usage      |
    |  No running processes found                                                             |
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "nvidia-smi"
_REASON = "borders and headings of a screen"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"[|+][-=+|]{10,}[|+]?\s*$",
        starts=(
            "+--",
            "|--",
            "|==",
            "+==",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\| +(?:GPU +Name|Fan +Temp|Processes:|GPU +GI|ID +ID|No running processes found).*\|\s*$",
        starts=("| ",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\|[ |]*(?:N/A|Disabled|Enabled|Default)?[ |]*\|\s*$",
        starts=("|  ",),
    ),
)
