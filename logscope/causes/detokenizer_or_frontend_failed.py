"""The tokenizer or detokenizer process, or the health probe in front of them, fails.

What it is
    A process beside the scheduler raised, or no answer comes back through it.

How to tell
    Its process is named in the exception; or the probe says that no answer came from the detokenizer and nothing else failed.

Not to be taken for
    A probe that starves behind long prefills: the last heartbeat is then younger than a chunk takes. The scheduler's own
    exception. A blocked handshake with a peer, which shows in a bootstrap error.

What to do
    Read that process's exception. Compare the probe's start with the last heartbeat before tuning its timeout.

Source
    `managers/detokenizer_manager.py`, `tokenizer_manager.py`; `entrypoints/http_server.py` (health probe).
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.facts.lacking import AMBIGUOUS, lacking
from logscope.facts.transfers import broken
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import chain, said
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "A process in front of the scheduler failed"

_ORPHANS = (
    {
        "reference": "sgl-project/sglang#35884",
        "why": "a probe that timed out stays in the scheduler as a request of its own, and such orphans pile up",
    },
)


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first failure is a front-end process's, or only the probe failed."""
    root = case.root
    probes = tuple(row.ref for row in _failed_probes(case)[:2])
    if (
        root is not None
        and root.kind == "failure"
        and (process := _process(root))
        and not (set(root.marks) - {"fatal_signal"})
    ):
        missing = lacking(root)
        yield _made(
            0.86 if missing is None or missing[1] == AMBIGUOUS else 0.6,
            f"{process} raised {said(root)}",
            (root.ref, root.decisive, *probes),
            chain(case, root, "the process raises"),
        )
    failed = [row for row in case.launch.rows("health_check") if row.get("kind") == "failed"]
    if failed and not case.originators and not broken(case.launch):
        limit = f" for {failed[0]['limit_s']:.0f} s" if failed[0].get("limit_s") is not None else ""
        told = f"the probe got no answer from the detokenizer{limit}"
        yield _made(0.58, told, (failed[0].ref, *probes), ((failed[0].ref, told),))


def _process(root: Failure) -> str:
    """The process in front of the scheduler that raised: by its own name, else by the loop in the frames."""
    name = str(root.row.get("process", ""))
    if name.startswith(("Detokenizer", "Tokenizer", "MultiTokenizer", "MultiDetokenizer")):
        return name
    if root.in_frames("run_detokenizer_process", "detokenizer_manager.py"):
        return "DetokenizerManager"
    return "TokenizerManager" if root.in_frames("print_exception_wrapper", "handle_loop") else ""


def _failed_probes(case: Case) -> list[Row]:
    """Probes that were answered with an error."""
    table = case.launch.table("http_access")
    if not table.num_rows or table.num_rows > 100_000:
        return []
    rows = [row for row in case.launch.rows("http_access") if "health" in str(row.get("target", ""))]
    return [row for row in rows if int(row.get("status", 200)) >= 500]


def _made(
    weight: float, told: str, lines: tuple[LineRef, ...], links: tuple[tuple[LineRef | None, str], ...]
) -> Hypothesis:
    return Hypothesis(
        cause="detokenizer_or_frontend_failed",
        weight=weight,
        sentence=f"A process in front of the scheduler failed: {told}.",
        evidence=tuple(dict.fromkeys(lines)),
        confidence="likely",
        fraction=WAY,
        chain=links,
        missing=("the detokenizer's own traceback",) if weight < 0.8 else (),
        actions=(
            Action(
                do="Read the exception of the process that is named; check that it is alive.",
                why="The scheduler and memory are not involved.",
                verify="The probe answers 200 and a one-token prefill follows it.",
            ),
        ),
        upstream=_ORPHANS if weight < 0.8 else (),
        at=lines[0],
    )
