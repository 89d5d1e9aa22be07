r"""The capture of a device graph failed: the error, and the hints printed with it.

Sample
    #@ 0.2.10..0.5.23
    Exception: Capture cuda graph failed: CUDA is not available
    Possible solutions:
    1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)
    2. set --cuda-graph-max-bs to a smaller value (e.g., 16)
    3. disable torch compile by not using --enable-torch-compile
    4. disable CUDA graph by --disable-cuda-graph. (Not recommended. Huge performance loss)
    Open an issue on GitHub https://github.com/sgl-project/sglang/issues/new/choose␠
    #@ 0.1.24..0.2.9
    Exception: Capture cuda graph failed: bad. Possible solutions:
    #@ 0.4.6.post4..0.4.6.post5
    Exception: Capture CUDA graph failed: bad
    #@ 0.5.2..0.5.23
    Exception: Capture CPU graph failed: bad
    #@ 0.5.14..0.5.23
    Exception: Capture prefill CUDA graph failed: bad
    Fail when using backend: full for prefill runner.
    Possible suggestions:
    #@ 0.5.10..0.5.13.post1
    [2026-05-14 02:16:10 TP0] Piecewise CUDA Graph failed with error: bad
    Piecewise CUDA Graph is enabled by default as an experimental feature.
    To work around this error, add --disable-piecewise-cuda-graph to your launch command.

Meaning
    The error is often a whole text of an allocator, which is then in the table allocator_failure as well. The hints are
    the same for every error: the first one holds only when memory was short, and lowers what the pool takes.

Source
    `CudaGraphRunner.capture` (`model_executor/cuda_graph_runner.py`), `runner_backend/*` (0.5.14 and later).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Capture (?P<graph>prefill CUDA|CPU) graph failed: (?P<text>.*)",
            contains=" graph failed: ",
            since="0.5.2",
            scope="line",
            sets={"kind": "error"},
        ),
        Shape(
            r"Capture (?P<graph>CUDA|cuda|NPU|npu) graph failed: (?P<text>.*)",
            contains=" graph failed: ",
            since="0.1.24",
            scope="line",
            sets={"kind": "error"},
        ),
        Shape(
            r"(?P<graph>Piecewise CUDA) Graph failed with error: (?P<text>.*)",
            contains="Piecewise CUDA Graph failed with error:",
            since="0.5.10",
            until="0.5.13.post1",
            scope="line",
            sets={"kind": "error"},
        ),
        Shape(
            r"(?P<text>Piecewise CUDA Graph is enabled by default as an experimental feature\.)",
            contains="Piecewise CUDA Graph is enabled by default",
            since="0.5.10",
            until="0.5.13.post1",
            scope="line",
            sets={"kind": "hint"},
        ),
        Shape(
            r"(?P<text>To work around this error, add --disable-piecewise-cuda-graph.*)",
            contains="To work around this error, add --disable-piecewise",
            since="0.5.10",
            until="0.5.13.post1",
            scope="line",
            sets={"kind": "hint"},
        ),
        Shape(
            r"^(?P<text>Possible (?:solutions|suggestions):)\s*$",
            contains="Possible s",
            scope="line",
            sets={"kind": "hint"},
        ),
        Shape(
            r"^(?P<text>Fail when using backend: .* for prefill runner\.)",
            contains="Fail when using backend:",
            scope="line",
            sets={"kind": "hint"},
        ),
        Shape(r"^\d+\. (?P<text>set --.* to a .*)", contains=". set --", scope="line", sets={"kind": "hint"}),
        Shape(r"^\d+\. (?P<text>disable .*--.*)", contains=". disable ", scope="line", sets={"kind": "hint"}),
        Shape(
            r"^(?P<text>Open an issue on GitHub https://github\.com/sgl-project/sglang/issues\S*)",
            contains="Open an issue on GitHub https://github.com/sgl-project",
            scope="line",
            sets={"kind": "hint"},
        ),
    ),
    columns=(
        Column("kind", "text", "error or hint."),
        Column("graph", "text", "Which graph."),
        Column("text", "text", "The error, or the hint."),
    ),
    process="scheduler",
)
