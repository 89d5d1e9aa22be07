"""CUDA-graph capture runs out of memory.

What it is
    Graphs and their buffers live outside the static budget; capture needs more than the pool left.

How to tell
    A capture failure **with** an allocator's sentence in it.

Not to be taken for
    `graph_capture_failed_other`: the same header and the same four printed hints, but no allocator's sentence.

What to do
    Lower the fraction, or capture fewer or smaller batch sizes, as long as the fraction stays above the floor of the
    weights: the printed example values may lie below it.

Source
    `CudaGraphRunner` (`model_executor/cuda_graph_runner.py`, 0.5.14 and later `model_executor/runner`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.causes._flag_names import largest_graph
from logscope.causes._fraction_below import alone_too_little, fraction_below
from logscope.facts import allocator, captures, memory
from logscope.facts.failures import Failure
from logscope.facts.stalls import compile_lines
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain
from logscope.quantity import LineRef
from logscope.wording import above, floored, gib

WAY: Way = "lower"
TITLE = "Graph capture ran out of memory"
_STEP = 0.01


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The allocator fails during a capture."""
    root = case.root
    if root is None or root.phase != "capture":
        return
    row = allocator.sentence(root)
    sizes = {q.name: q for q in allocator.sizes(row, "requested", "free", "total", "process", "allocated")}
    asked = f" asking for {gib(sizes['requested'])}" if "requested" in sizes else ""
    free = f" with {gib(sizes['free'])} free" if "free" in sizes else ""
    total = f" of {gib(sizes['total'])}" if "total" in sizes else ""
    span = fraction_below(case, case.lasting, step=_STEP) or None
    told, lines = _outside(case, root)
    yield Hypothesis(
        cause="graph_capture_failed_memory",
        weight=0.94,
        sentence=f"Graph capture ran out of device memory{asked}{free}{total}: graphs live outside the static budget, and the pool left too little.{told}",
        evidence=(root.decisive, root.ref, *lines),
        confidence="certain",
        fraction=WAY,
        fraction_range=span,
        chain=chain(case, root, "the allocator fails during the capture"),
        ruled_out=(("graph_capture_failed_other", "the exception carries the allocator's own sentence"),),
        actions=_actions(case, root, span),
        at=root.decisive,
    )


def _actions(case: Case, root: Failure, span: Mapping[str, Any] | None) -> tuple[Action, ...]:
    """The fraction first, fewer graphs as another way; the graphs first where no fraction frees enough."""
    of_prefill = captures.of_prefill(case.launch, root)
    flag = largest_graph(case.launch, prefill=of_prefill)
    alone = alone_too_little(span)
    what, least = ("fewer prefill sizes", "number of tokens") if of_prefill else ("fewer batch sizes", "batch")
    graphs = Action(
        do=f"{'Capture' if alone else 'Or capture'} {what} ({flag}).",
        why=f"The largest captured {least} takes nearly all of the memory.",
        verify="The capture line lists fewer sizes.",
        risk="Batches beyond the largest one run without a graph, slower.",
        set={"flag": flag.split(";")[0]},
        alternative=not alone,
    )
    ends = {key: span[key] for key in ("lo", "hi") if span and key in span}
    if alone:
        do = "Lower --mem-fraction-static towards the floor of the weights as well: alone it does not suffice."
    else:
        to = f" to at most {floored(ends['hi'])}, further" if "hi" in ends else ""
        stay = f", but stay above {above(ends['lo'])}" if "lo" in ends else ""
        do = f"Lower --mem-fraction-static{to} in steps of 0.02{stay}."
    fraction = Action(
        do=do,
        why="Every 0.01 gives one hundredth of the free memory before the load to graphs and activations.",
        verify=f"`Capture … graph end` appears, with free memory left. {IN_STAGING}",
        risk="Below the floor of the weights the start is refused instead.",
        set={"flag": "--mem-fraction-static", **ends},
    )
    return (graphs, fraction) if alone else (fraction, graphs)


def _outside(case: Case, root: Failure) -> tuple[str, tuple[LineRef, ...]]:
    """What took memory that no budget counts: autotuning inside the capture, a draft that was resident before."""
    told = ""
    lines: list[LineRef] = []
    begun = [row.ref for row in case.launch.rows("graph_capture") if row.get("kind") == "begin" and row.ref < root.ref]
    tuned = [ref for ref in compile_lines(case.launch) if begun and begun[-1] < ref < root.decisive]
    if tuned:
        told += " Kernels were being tuned in the capture: tens of GiB that live for seconds and that no budget counts."
        lines.append(tuned[-1])
    drafts = [load for load in memory.loads(case.launch.rank(root.rank))[1:] if root.rank != "main"]
    pools = [row.ref for row in case.launch.rows("kv_pool") if row.rank == root.rank]
    if drafts and (not pools or drafts[0].end.ref < pools[0]):
        took = drafts[0].end.get("mem_usage_gib")
        size = f" ({took:.2f} GiB)" if took is not None else ""
        told += f" The draft's weights{size} were resident when the target's pool was sized."
        lines.append(drafts[0].end.ref)
    return told, tuple(lines)
