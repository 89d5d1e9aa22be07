"""SGLang 0.1.15, the first release that is known here: the fraction is a table over the tensor-parallel size."""

from __future__ import annotations

from logscope.sglang import fraction
from logscope.sglang.sizing import Sizing


def changed(_: None) -> Sizing:
    return Sizing(
        fraction=fraction.by_tensor_parallel,
        fraction_by_parallel=((8, 0.80), (4, 0.82), (2, 0.85), (1, 0.90)),
    )
