r"""A kernel needs more of a multiprocessor than the device has: one row a sentence, also inside tracebacks.

Sample
    #@ 0.1.15..0.5.23
    triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 147456, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.
    triton.runtime.autotuner.OutOfResources: out of resource: threads, Required: 2048, Hardware limit: 1024.

Meaning
    Shared memory and registers of a multiprocessor, not device memory: no fraction helps. The kernel's configuration
    does not fit this architecture.

Source
    Triton `runtime/errors.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"out of resource: (?P<resource>[\w ]+), Required: (?P<required_bytes>\d+), Hardware limit: (?P<limit_bytes>\d+)",
            ("out of resource: ",),
            scope="line",
        ),
    ),
    columns=(
        Column("resource", "text", "shared memory, registers, threads."),
        Column("required_bytes", "int", "What the kernel asks for; a count for threads and registers.", "bytes"),
        Column("limit_bytes", "int", "What the device has.", "bytes"),
    ),
    shared=True,
)
