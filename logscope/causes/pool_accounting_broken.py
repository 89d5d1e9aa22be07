"""The pool's own books do not balance: a leak, or a double free.

What it is
    At an idle check available + evictable + protected is not the total of a pool.

How to tell
    The sign and the page multiple of the difference, for each pool: positive is a leak, negative a double free, one slot in
    a state pool a slot that was not given back. The headline names one pool; another may be the one that differs.

Not to be taken for
    A pool that is full: usage near 1.00 with a radix cache is normal. `kv_slots_exhausted`.

What to do
    Update the server or switch the feature off that the pool belongs to. Leave the fraction.

Source
    `check_memory`, `scheduler_runtime_checker_mixin.py`, `invariant_checker.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.errors import FactMissing
from logscope.facts.leaks import balances
from logscope.facts.stalls import snapshots
from logscope.finding import Action, Hypothesis, Way
from logscope.proof import chain
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "The pool's books do not balance"

_WARN = (
    Action(
        do="Let the check warn instead of ending the server: SGLANG_ENABLE_STRICT_MEM_CHECK_DURING_IDLE=0; restart when "
        "lost state slots begin to limit the running requests.",
        why="One state slot is one request or one cached branch fewer; every token of the KV pool is accounted for.",
        verify="The check warns, and its difference does not grow from one idle check to the next.",
        risk="A leak that grows is then seen only in the warnings.",
    ),
)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """A leak check fired."""
    rows = case.launch.rows("pool_leak")
    if not rows:
        raise FactMissing("no leak check fired")
    root = case.root
    if root is not None and root.ref < rows[0].ref and "pool_leak" not in root.marks:
        return
    findings = case.found("POL101")
    told = findings[0].message if findings else _without_numbers(case)
    evidence: list[LineRef] = [ref for finding in findings for ref in finding.evidence]
    evidence += [row.ref for row in rows[:4]]
    evidence += [row.ref for row in snapshots(case.launch)[:3]]
    evidence += root.message_lines if root is not None else ()
    yield Hypothesis(
        cause="pool_accounting_broken",
        weight=0.93,
        sentence=f"The server's own check found that a pool does not balance: {told}",
        evidence=tuple(dict.fromkeys(evidence))[:10],
        confidence="certain" if findings else "likely",
        fraction=WAY,
        chain=chain(case, root, "a pool does not balance") if root else ((rows[0].ref, "a pool does not balance"),),
        ruled_out=(("kv_slots_exhausted", "nothing was asked for: the check ran while the server was idle"),),
        actions=(
            *(_WARN if findings and all(finding.data["one_state"] for finding in findings) else ()),
            Action(
                do="Update the server; until then switch off the feature that the pool belongs to (hierarchical cache, speculation, sessions).",
                why="The fault is in the server's accounting; memory settings only change when it shows.",
                verify="The check stays silent when the server is idle.",
            ),
        ),
        at=rows[0].ref,
    )


def _without_numbers(case: Case) -> str:
    """Where no printed pool differs: the one that does stands on a line that is not here."""
    try:
        whole = ", ".join(dict.fromkeys(balance.pool for balance in balances(case.launch)))
    except FactMissing:
        return "its numbers are not complete in this log."
    return f"what is printed of the {whole} pool balances; the pool that does not is on a line that this log does not hold."
