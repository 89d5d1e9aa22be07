"""The batch outgrew the largest captured graph.

What it is
    Up to the largest captured batch size decoding replays a graph; beyond it runs eagerly, slower.

How to tell
    The graph flag of decode lines is True up to the largest captured size and False above it.

Not to be taken for
    Graphs that are off altogether. Memory: the pool is not full.

What to do
    Capture larger sizes, or keep the running requests below the largest.

Source
    `CudaGraphRunner.can_run` (`model_executor/cuda_graph_runner.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._flag_names import largest_graph
from logscope.facts.graphs import ceiling
from logscope.finding import Action, Hypothesis, Way

WAY: Way = "leave"
TITLE = "The batch outgrew the largest captured graph"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Decode lines beyond the ceiling, in a server that did not fail."""
    if case.died or case.launch.has("retraction"):
        return
    found = ceiling(case.launch)
    yield Hypothesis(
        cause="graph_ceiling",
        weight=0.6 if case.state != "stopped" else 0.4,
        sentence=f"With {found.running} running requests decoding left its graphs: the largest captured batch is {found.largest} ({found.how}).",
        evidence=(found.line, *found.capture),
        confidence="certain" if found.capture else "likely",
        fraction=WAY,
        chain=((found.line, "decoding without a graph"),),
        actions=(
            Action(
                do=f"Capture larger batches ({largest_graph(case.launch)}), or cap --max-running-requests at the largest.",
                why="Eager decoding is slower and takes more transient memory.",
                verify="The graph flag stays True at the same number of running requests.",
                risk="Larger captures take memory outside the pool.",
                set={"flag": "--cuda-graph-max-bs"},
            ),
        ),
        at=found.line,
    )
