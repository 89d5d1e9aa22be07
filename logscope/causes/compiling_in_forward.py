"""A kernel is compiled or loaded inside the first forward; peers time out.

What it is
    One rank compiles (or waits for a lock of another that does) while the others wait for it in a collective.

How to tell
    A compile, autotune, warm-up or JIT line as the last thing before the silence, then a watchdog or a host-side timeout.

Not to be taken for
    `collective_stalled`: nobody compiles. High load: the pool is free.

What to do
    Compile before serving (warm-up, cached kernels on all nodes), or lengthen the timeouts for the first start.

Source
    FlashInfer JIT, DeepGEMM `compile_utils.py`, torch inductor autotuning; `utils/watchdog.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts.stalls import collective_timeouts, compile_lines, compile_notices, stalled
from logscope.finding import Action, Hypothesis, Way
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "A kernel was compiled inside a forward"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A stall whose last word before it is a compile line."""
    stall, told = _stall(case)
    if stall is None:
        return
    compiles = sorted(ref for ref in (*compile_lines(case.launch), *compile_notices(case.launch)) if ref < stall)
    if not compiles or _served_between(case, compiles[-1], stall):
        return
    snapshot: tuple[LineRef, ...] = ()
    try:
        found = stalled(case.launch)
        snapshot = (*found.snapshot_lines, *found.debug_lines)
    except NotChecked:
        pass
    yield Hypothesis(
        cause="compiling_in_forward",
        weight=0.84,
        sentence=f"A kernel was being compiled or loaded when the server stopped making progress ({told}): the last word before the silence is a compile line.",
        evidence=tuple(dict.fromkeys((compiles[-1], stall, compiles[0], *snapshot[:3]))),
        confidence="likely",
        fraction=WAY,
        chain=((compiles[-1], "a kernel is compiled"), (stall, told)),
        actions=(
            Action(
                do="Compile before serving: run the warm-up once on every node with a shared or pre-filled kernel cache.",
                why="The first forward that needs a kernel waits for its compiler, and peers wait for that rank.",
                verify="No compile line after `The server is fired up`.",
            ),
        ),
        at=compiles[-1],
    )


def _stall(case: Case) -> tuple[LineRef | None, str]:
    try:
        found = stalled(case.launch)
        return found.rows[0].ref, f"the watchdog of {found.limit_s:g} s fired"
    except NotChecked:
        pass
    for row in [*case.launch.rows("deep_ep"), *collective_timeouts(case.launch)]:
        return row.ref, "a peer timed out"
    return None, ""


def _served_between(case: Case, begin: LineRef, end: LineRef) -> bool:
    """Whether decode lines stand between: then the compile was over."""
    table = case.launch.table("decode_batch")
    if not table.num_rows:
        return False
    return any(
        path == begin.path and begin.line < line < end.line
        for path, line in zip(table["path"].to_pylist(), table["line"].to_pylist(), strict=True)
    )
