"""A batch ran in a graph although graphs are switched off.

What it says
    disable_cuda_graph is set, and decode lines say that they ran in a graph.

Why it matters
    The dump and the batches belong to different starts.

Example
    disable_cuda_graph=True beside cuda graph: True.

Silent when
    Graphs are on, or no line says that it ran in one.

Source
    `ModelRunner.init_device_graphs`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import NotApplicable
from logscope.facts import batches, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import judged
from logscope.wording import several

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "decode_batch", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if not settings.says(launch, "disable_cuda_graph"):
        raise NotApplicable("graphs are switched on")
    flags = batches.column(rank, "decode_batch", "graph")
    ran = np.flatnonzero(flags == 1)
    if not ran.size:
        return None
    row = batches.row(rank, "decode_batch", int(ran[0]))
    return Finding(
        message=f"{several(ran.size, 'decode line')} ran in a graph, and disable_cuda_graph is set.",
        evidence=(row.ref, launch.arguments_line),
        rank=rank.name,
    )
