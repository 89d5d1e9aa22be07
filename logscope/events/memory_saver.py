r"""Other lines of torch_memory_saver, which releases and resumes device memory in RL co-location: one row a line.

Sample
    #@ 0.4.4..0.5.23
    [torch_memory_saver.cpp] Cannot pause allocation that is not active. tag=kv_cache
    [torch_memory_saver.cpp] Cannot resume allocation that is not paused. tag=weights
    [torch_memory_saver.cpp] cudaError error: 801 (operation not supported)  file=csrc/core.cpp func=malloc line=36

Meaning
    Pausing and resuming in the wrong order, or a driver that lacks what the library needs. Its out-of-memory sentences
    are in the table of allocators.

Source
    torch_memory_saver `csrc/core.cpp`, `csrc/utils.h`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"\[torch_memory_saver\.cpp\] (?P<text>(?!.*(?:out of memory|OUT_OF_MEMORY|return OOM))"
            r"(?:(?:CUresult|cudaError) error: (?P<code>\d+) .{0,300}?func=(?P<function>\w+))?.*)",
            ("[torch_memory_saver.cpp]",),
        ),
    ),
    columns=(
        Column("code", "int", "Error number of the driver."),
        Column("function", "text", "Function that failed."),
        Column("text", "text", "The message."),
    ),
)
