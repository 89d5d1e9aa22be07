r"""torchrun (`[rank0]:`, `[default0]:`), torch's hook for uncaught exceptions, and mpirun's tagged output.

Lines `[rank3]:[E1117 21:22:11…` and `[rank3]:W0311 16:28:24…` are torch's own records and stay as they are.

Sample:

    [rank3]: Traceback (most recent call last): → Traceback (most recent call last):
    [rank3]:   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    [default0]:[2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    [1,3]<stderr>:[2026-01-12 02:47:08 TP3] Load weight begin. → [2026-01-12 02:47:08 TP3] Load weight begin.
    [prterun-gpu-node-1-77@1,3]<stdout>: [2026-01-12 02:47:08] a → [2026-01-12 02:47:08] a
    [rank1]:W0311 16:28:24.133000 95531 torch/_inductor/utils.py:1137] a → [rank1]:W0311 16:28:24.133000 95531 torch/_inductor/utils.py:1137] a
    [rank3]:[E1117 21:22:11.449 ProcessGroupNCCL.cpp:616] Watchdog caught → [rank3]:[E1117 21:22:11.449 ProcessGroupNCCL.cpp:616] Watchdog caught
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._prefix import Prefix, plain

NAME = "torchrun"

# Torch's hook and PRRTE put a blank behind the colon, torchrun and the older mpirun none: a traceback has its own.
_TORCH = r"\[(?:(?P<hook>rank)|default|worker|trainer|node)(?P<rank>\d+)\]:(?! ?\[[DIWEFC]\d{2,4} )(?!\[[DIWEF] )(?![DIWEFC]\d{4} \d\d:)(?(hook) ?)"
_MPI = r"\[(?P<job>[\w.-]+@)?\d+,(?P<task>\d+)\]<std(?:out|err|diag)>:(?(job) ?)"
_PREFIX = Prefix(rf"(?:{_TORCH}|{_MPI})")


def detect(lines: Sequence[str]) -> Detection | None:
    """By a rank and a colon, unless torch's own record follows."""
    return plain(_PREFIX.hits(lines), "a rank in brackets and a colon")


def _label(found: re.Match[bytes]) -> str:
    return f"rank {int(found['rank'] or found['task'])}"


def unwrap(block: Block) -> Block:
    """The block without the rank, which is the label."""
    return _PREFIX.unwrap(block, _label)
