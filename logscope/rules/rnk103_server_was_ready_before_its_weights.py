"""The server was ready before its weights were loaded.

What it says
    `The server is fired up and ready to roll!` stands before a later end of loading, pooling or capturing of the
    same launch.

Why it matters
    It is printed last of all: the lines of two servers are merged, and neither story can be read from them as they
    stand.

Example
    ready at line 40, Load weight end of TP3 at line 52.

Silent when
    Weights are committed after the capture or updated later, several inputs are joined, or the server is ready
    last.

Source
    `http_server.launch_server`, `_wait_and_warmup`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.wording import several

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    ready = launch.rows("ready")
    if not ready or not launch.has("load_weight"):
        raise FactMissing("the start, or the line that ends it, is not in the log")
    if launch.has("weights_update") or len(launch.pieces) > 1:
        raise NotApplicable("weights are updated, or inputs are joined")
    late = [
        row
        for name in ("load_weight", "memory_pool_end")
        for row in launch.rows(name)
        if row.ref > ready[0].ref and row.get("avail_mem_gib") is not None
    ]
    if not late:
        return None
    return Finding(
        message=f"{several(len(late), 'line')} of loading after the one that says that the server is ready: two servers are mixed, or a restart lost its first lines.",
        evidence=(ready[0].ref, late[0].ref),
    )
