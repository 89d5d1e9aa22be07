r"""Warnings of Python modules, with the file that raised them: one row a warning.

Sample
    #@ 0.1.15..0.5.23
    /usr/local/lib/python3.11/site-packages/sglang/srt/layers/quantization/awq.py:76: UserWarning: Only CUDA, HIP and XPU support AWQ currently.
      warnings.warn(f"Only CUDA, HIP and XPU support AWQ currently.")
    #@ 0.1.15..0.5.23
    <frozen importlib._bootstrap_external>:1301: FutureWarning: The cuda.cudart module is deprecated and will be removed in a future release.
    /usr/lib/python3.11/multiprocessing/resource_tracker.py:254: UserWarning: resource_tracker: There appear to be 6 leaked semaphore objects to clean up at shutdown

Meaning
    Printed once a place and process, so every rank repeats it. Leaked semaphores and shared memory at shutdown mean
    that children were killed. Warnings of SGLang's pool check are a table of their own.

Source
    Python `warnings.formatwarning`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?P<file>(?:/|<|\.{1,2}/|[A-Za-z]:\\|[\w.-]+/)[^:]*?|\w+\.py):(?P<file_line>\d+): (?P<category>\w*Warning): ?(?P<text>(?!.*(?:leak detected|pool leak)).*)",
            contains="Warning:",
        ),
    ),
    columns=(
        Column("file", "text", "File that raised it."),
        Column("file_line", "int", "Its line."),
        Column("category", "text", "UserWarning, FutureWarning, DeprecationWarning, …"),
        Column("text", "text", "The first line of the text."),
    ),
    shared=True,
)
