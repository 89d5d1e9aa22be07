"""SGLang 0.5.22: a default graph size never exceeds the running requests."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, graph_batch_at_most_running=True)
