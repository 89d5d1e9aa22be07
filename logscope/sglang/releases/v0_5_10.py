"""SGLang 0.5.10: prefill graphs are the default, EAGLE reserves 4 GiB, CPU graphs follow the compiled batch."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        prefill_graph="default",
        prefill_cap_by_total=True,
        eagle_reserve_mib=4 * 1024,
        cpu_graph_batch_is_compile_batch=True,
        decode_shapes="with the largest",
        running="slots",
        mamba_running_divided=False,
        mlx="context",
    )
