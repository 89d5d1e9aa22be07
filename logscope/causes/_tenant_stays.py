"""What to do when the other process on a card is to stay: the fraction of what it leaves, set explicitly."""

from __future__ import annotations

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.facts import allocator
from logscope.finding import Action
from logscope.launch import Row
from logscope.wording import above, floored

_EXPLICIT = "start it first and set --mem-fraction-static explicitly"


def if_it_stays(case: Case) -> Action:
    """The action for a shared machine, with the bounds that the log's numbers allow."""
    row = _begun(case)
    return Action(
        do=f"If it is to stay: {_bounds(case, row) if row else _EXPLICIT}.",
        why="The fraction multiplies what is free when the weights begin to load; the automatic one is computed from the whole "
        "device and knows of nobody else.",
        verify=f"The tenant's memory is the same before and after the start. {IN_STAGING}",
        risk="A tenant that grows later takes what forwards need.",
    )


def _begun(case: Case) -> Row | None:
    """The rank with the least free memory before its weights: the fraction must hold there."""
    rows = [row for row in case.launch.rows("load_weight") if row.get("kind") == "begin" and row.get("avail_mem_gib")]
    rows = [row for row in rows if row["avail_mem_gib"] > 0]
    return min(rows, key=lambda row: float(row["avail_mem_gib"]), default=None)


def _bounds(case: Case, begun: Row) -> str:
    """Below: the reserve that the fraction in force keeps of the whole device. Above: the share of the weights."""
    free = float(begun["avail_mem_gib"])
    floor, ceiling = _floor(case, begun), _ceiling(case, free)
    if ceiling is not None and ceiling <= (floor or 0.0):
        return (
            f"no fraction of the {free:.2f} GiB that it leaves holds the weights, graphs and activations; take a smaller model, "
            "more cards or another card"
        )
    bounds = [f"above {above(floor)}, which the weights take"] if floor is not None else []
    bounds += (
        [f"at most {floored(ceiling)}, which leaves what graphs and activations need"] if ceiling is not None else []
    )
    return f"{_EXPLICIT}, from the {free:.2f} GiB that were free" + (f": {'; '.join(bounds)}" if bounds else "")


def _floor(case: Case, begun: Row) -> float | None:
    ends = [row for row in case.launch.rows("load_weight") if row.get("kind") == "end" and row.rank == begun.rank]
    if not ends or ends[0].get("avail_mem_gib") is None:
        return None
    return 1 - float(ends[0]["avail_mem_gib"]) / float(begun["avail_mem_gib"])


def _ceiling(case: Case, free: float) -> float | None:
    """1 − reserve ÷ free, with the reserve in GiB that the fraction in force keeps of an empty device."""
    value = case.launch.arguments.get("mem_fraction_static")
    size = _device(case)
    if isinstance(value, bool) or not isinstance(value, int | float) or size is None:
        return None
    return 1 - (1 - float(value)) * size / free


def _device(case: Case) -> float | None:
    """The device's size, as the allocator's sentence prints it."""
    if case.root is None or "allocator_failure" not in case.root.marks:
        return None
    return next((one.value for one in allocator.sizes(allocator.sentence(case.root), "total")), None)
