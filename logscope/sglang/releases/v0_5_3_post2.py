"""SGLang 0.5.3.post2: state slots take a share of the rest."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang import graphs
from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, mamba="share, speculation per slot", prefill_shapes=graphs.fine_shapes)
