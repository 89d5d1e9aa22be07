"""Graph capture fails and memory is not the reason.

What it is
    A compile, shape, kernel or communication error inside a capture.

How to tell
    A capture failure **without** an allocator's sentence, and free memory at its begin is ample.

Not to be taken for
    `graph_capture_failed_memory`: the header and the four printed hints are the same in both; they are boilerplate.

What to do
    Read the exception. Capture can be switched off to isolate it; the fraction stays.

Source
    `CudaGraphRunner` (`model_executor/cuda_graph_runner.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.lacking import of_capture
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain, said

WAY: Way = "leave"
TITLE = "Graph capture failed, and memory is not the reason"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A capture failed without an allocator's sentence."""
    root = case.root
    if root is None or "allocator_failure" in root.marks or root.root is None:
        return
    forbidden = of_capture(root)
    if not forbidden and (
        root.phase != "capture" or not ("graph failed" in root.text or root.in_frames("capture", "graph_runner"))
    ):
        return
    free = [row["avail_mem_gib"] for row in case.launch.rows("graph_capture") if row.get("avail_mem_gib") is not None]
    ample = f" with {free[-1]:.2f} GiB free" if free else ""
    yield Hypothesis(
        cause="graph_capture_failed_other",
        weight=0.93 if forbidden else 0.72,
        sentence=f"Graph capture failed{ample}, and no allocator did: {said(root).rstrip('.')}. The printed memory hints are boilerplate.",
        evidence=tuple(dict.fromkeys((root.decisive, *root.message_lines, root.ref))),
        confidence="likely",
        fraction=WAY,
        chain=chain(case, root, "the capture fails for a reason of its own"),
        ruled_out=(("graph_capture_failed_memory", "no allocator's sentence is in the exception"),),
        actions=(
            Action(
                do="Read the exception above the hints; start once with --disable-cuda-graph to isolate it.",
                why="Lowering the fraction cannot change a compile or shape error.",
                verify="Without graphs the server comes up.",
                risk="Without graphs decoding is much slower.",
            ),
        ),
        at=root.decisive,
    )
