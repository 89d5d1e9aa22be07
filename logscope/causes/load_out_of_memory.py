"""The device allocator fails while weights load.

What it is
    The weights, or what a loader makes of them, do not fit on the device.

How to tell
    An allocator's sentence before `Load weight end`, or below a message about loading a component.

Not to be taken for
    `weights_exceed_budget`: the weights fit and the budget is empty. `device_shared`: free memory before the load is far
    below the card, or the sentence names another process.

What to do
    More ranks, smaller weights, or the loader's own options; free the device. The fraction plays no part before the load
    has ended.

Source
    torch caching allocators; `model_loader/loader.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts import allocator
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain
from logscope.quantity import LineRef
from logscope.wording import gib

WAY: Way = "leave"
TITLE = "The device ran out of memory while weights were loaded"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first failure is the device's allocator, while loading."""
    root = case.root
    if root is None or not _loading(case):
        return
    row = allocator.sentence(root)
    if allocator.of_host(row):
        return
    sizes = {q.name: q for q in allocator.sizes(row, "requested", "total", "free", "process", "other_process")}
    told = f" asking for {gib(sizes['requested'])}" if "requested" in sizes else ""
    left = f" with {gib(sizes['free'])} free" if "free" in sizes else ""
    of = f" of {gib(sizes['total'])}" if "total" in sizes else ""
    before = [line.ref for line in case.launch.rows("diffusion") if line.ref.line < row.ref.line][-1:]
    yield Hypothesis(
        cause="load_out_of_memory",
        weight=0.92,
        sentence=f"The device ran out of memory while weights were loaded{told}{left}{of}: the weights do not fit beside what is there already.",
        evidence=tuple(dict.fromkeys((root.decisive, *_context(case, row.ref), *before))),
        confidence="certain",
        fraction=WAY,
        chain=chain(case, root, "the allocator fails during the load"),
        ruled_out=(("forward_out_of_memory", "no pool existed yet, so the fraction had not been used"),),
        actions=(
            Action(
                do="Load smaller (quantized) weights, use more ranks, or free the device; see whether the loader fell back to another file.",
                why="Before the load has ended the static fraction is not used at all.",
                verify="`Load weight end` appears with free memory left.",
            ),
        ),
        at=root.decisive,
    )


def _loading(case: Case) -> bool:
    root = case.root
    return (
        root is not None
        and "allocator_failure" in root.marks
        and (root.phase in ("load", "init") or bool(_context(case, root.decisive)))
    )


def _context(case: Case, ref: LineRef) -> list[LineRef]:
    """Lines that speak of loading next to the failure: the loader's own message stands above or below it."""
    if case.launch.has("capacity", "ready", "decode_batch", "prefill_batch", "memory_pool_end"):
        return []
    near: list[LineRef] = []
    for name in case.launch.tables:
        for row in case.launch.rows(name) if case.launch.table(name).num_rows < 200 else ():
            said = " ".join(str(v) for v in row.values() if isinstance(v, str))
            if abs(row.ref.line - ref.line) <= 3 and row.ref.path == ref.path and "while loading" in said:
                near.append(row.ref)
    return near
