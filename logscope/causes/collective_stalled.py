"""All ranks stop within a second: somebody never joined.

What it is
    A collective that not every rank enters, or that the network does not complete: all wait.

How to tell
    Watchdogs on all ranks within a second of each other, or a collective timeout with its sequence numbers.

Not to be taken for
    `rank_stalled`: one rank only. `compiling_in_forward`: a compile, autotune or warm-up line on some rank before it.
    `peer_lost`: connections that were closed from the other side.

What to do
    Find the rank whose last completed collective is behind the others'; look at its log and its device.

Source
    torch `ProcessGroupNCCL.cpp` (watchdog); `utils/watchdog.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.facts.stalls import collective_timeouts, stalled
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "All ranks waited for one that did not join"
_EXCHANGE = Action(
    do="Look for the rank that no such line names: its own log of that minute, then the NVSHMEM/RDMA link of its host (`ibstat`, `nvidia-smi nvlink -s`).",
    why="Each line names a rank that waited for tokens; who did not send has no line. A kernel that waits too long ends itself with a launch failure, which is a consequence.",
    verify="The same exchange passes with that rank or host left out, or with DeepEP's own test on it.",
)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Watchdogs on all ranks together, or a collective that timed out."""
    waited = case.launch.rows("deep_ep")
    if waited:
        told = f"an expert exchange timed out on the {waited[0].get('side', 'host')} side{_waiting(waited)}"
        trapped = [f.decisive for f in case.lasting if "device_fault" in f.marks and f.ref > waited[0].ref][:1]
        made = _made(case, waited, told, 0.78, (*trapped, *_last_batch(case, waited[0])))
        yield replace(made, actions=(_EXCHANGE,))
    timeouts = collective_timeouts(case.launch)
    if timeouts:
        yield _made(case, timeouts, f"a collective timed out{_sequence(timeouts)}", 0.78)
        return
    try:
        found = stalled(case.launch)
    except FactMissing:
        return
    if found.together:
        yield _made(
            case, found.rows, f"the watchdogs of {len(found.rows)} ranks fired within a second of each other", 0.78
        )


def _waiting(rows: list[Row]) -> str:
    ranks = sorted({row["waiting_rank"] for row in rows if row.get("waiting_rank") is not None})
    return f" of rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}" if ranks else ""


def _sequence(rows: list[Row]) -> str:
    row = rows[0]
    if row.get("operation") is None:
        return ""
    return f" ({row['operation']}, sequence number {row.get('sequence', '?')}, after {row.get('ran_ms', row.get('timeout_ms', 0)) / 1000:.0f} s)"


def _last_batch(case: Case, row: Row) -> tuple[LineRef, ...]:
    """The last batch line before the wait."""
    refs = [r.ref for name in ("prefill_batch", "decode_batch") for r in [_before(case, name, row)] if r is not None]
    return tuple(sorted(refs)[-1:])


def _before(case: Case, name: str, row: Row) -> Row | None:
    table = case.launch.table(name)
    if not table.num_rows:
        return None
    places = [n for n, line in enumerate(table["line"].to_pylist()) if line < row.ref.line]
    return batches.row(case.launch, name, places[-1]) if places else None


def _made(case: Case, rows: list[Row], said: str, weight: float, more: tuple[LineRef, ...] = ()) -> Hypothesis:
    return Hypothesis(
        cause="collective_stalled",
        weight=weight,
        sentence=f"All ranks waited for one that did not join: {said}.",
        evidence=tuple(dict.fromkeys((*(row.ref for row in rows[:3]), *more))),
        confidence="likely",
        fraction=WAY,
        chain=((rows[0].ref, said), *((f.ref, f.follows) for f in case.lasting if f.follows)),
        missing=("the logs of all ranks and nodes: the absentee is the one whose last completed collective is behind",),
        actions=(
            Action(
                do="Compare the last enqueued and completed collective of every rank; the one that is behind is the absentee.",
                why="Those that time out are the ones that waited.",
                verify="The absentee's log shows what it did instead.",
            ),
        ),
        at=rows[0].ref,
    )
