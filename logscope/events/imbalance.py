r"""Ranks do not see the same free memory: something else occupies one of the devices.

Sample
    #@ 0.2.14..0.4.6.post5
    ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes.
    #@ 0.4.6..0.5.23
    [2025-05-26 02:16:21 TP3] The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=28.5, local_gpu_memory=78.6, local_gpu_memory * 0.9=70.74
    #@ 0.5.10..0.5.23
    [2026-07-26 02:16:21 TP3] The memory capacity is unbalanced. Some GPUs may be occupied by other processes. pre_model_load_memory=28.5, local_gpu_memory=78.6, local_gpu_memory * 0.9=70.74

Meaning
    The smallest free memory of all ranks is below nine tenths of this rank's. A ValueError ends the start; a warning
    (newer releases) lets it go on, and the smallest device sets the pool of all.

Source
    `ModelRunner.init_torch_distributed`; `distributed/bootstrap.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"The memory capacity is unbalanced\.(?: Some GPUs may be occupied by other processes\.)?"
            r"(?:.*?(?:min_per_gpu_memory|pre_model_load_memory|min_gpu_memory)=(?P<least_gib>[-\d.]+\d))?(?:, local_gpu_memory=(?P<own_gib>[-\d.]+\d))?"
            r"(?:, local_gpu_memory \* 0\.9=(?P<threshold_gib>[-\d.]+\d))?",
            contains="The memory capacity is unbalanced.",
            scope="line",
        ),
    ),
    columns=(
        Column("least_gib", "float", "Smallest free memory of all ranks.", "GiB"),
        Column("own_gib", "float", "Free memory of this rank.", "GiB"),
        Column("threshold_gib", "float", "Nine tenths of it.", "GiB"),
    ),
    process="scheduler",
)
