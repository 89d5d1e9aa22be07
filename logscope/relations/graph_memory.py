"""The memory of a capture of graphs: what disappeared from the free memory of the rank between its begin and its end.

G = G0 − G1, printed as `mem usage`. All sizes share one memory pool, so nearly all of it goes with the first,
largest one.

Releases: 0.4.4 and later. No exemption: the identity is one of subtraction.
Source: `ModelRunner.init_device_graphs` (log lines `Capture … graph begin`, `Capture … graph end`).
"""

from __future__ import annotations

from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import AVAIL_AFTER_GRAPHS, AVAIL_BEFORE_GRAPHS, GRAPH_MEMORY


def relations(setting: Setting) -> list[Relation]:  # noqa: ARG001
    """The balance of one capture; of several captures in a launch each is its own."""
    used = AVAIL_BEFORE_GRAPHS - AVAIL_AFTER_GRAPHS
    return [Relation("graph_memory", GRAPH_MEMORY, used, strength="identity", source="ModelRunner.init_device_graphs")]
