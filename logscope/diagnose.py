"""Verdicts → one cause with its confidence, its proof, and what it is not.

Every cause is asked about every launch. The hypothesis that explains the end of the launch best wins: by weight, then
by the line at which it becomes visible.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from logscope.case import Case
from logscope.check import Verdicts
from logscope.discover import units
from logscope.errors import NotChecked
from logscope.facts.completeness import missing
from logscope.facts.failures import Failure
from logscope.facts.origin import is_own
from logscope.finding import Finding, Hypothesis
from logscope.launch import Launch
from logscope.moves import effective
from logscope.quantity import LineRef

logger = logging.getLogger(__name__)

NO_FAULT = ("healthy", "slow_by_design", "stopped_on_request", "not_enough_evidence")  # no rivals of a fault
_LATER = 0.6  # the part of its weight that a hypothesis keeps when it begins behind the first originating failure
_ACQUITS = ("healthy", "slow_by_design", "stopped_on_request")
_MOST_WANTED = 4
_ONE_INCIDENT_S = 600.0  # between the failure of one server and those of servers that depend on it
_NEAR = 0.15  # a rival within this weight keeps the winner from being certain


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What happened in one launch: the hypothesis that holds and the rivals that do not."""

    launch: int
    best: Hypothesis
    rivals: tuple[Hypothesis, ...]


def hypotheses(case: Case) -> list[Hypothesis]:
    """What all causes claim about a launch, the best first."""
    made: list[Hypothesis] = []
    asked = units("logscope.causes")
    if not is_own(case.launch):
        asked = {name: module for name, module in asked.items() if name == "not_enough_evidence"}
    for name, module in asked.items():
        try:
            made.extend(module.hypotheses(case))
        except NotChecked:
            continue
        except Exception as bug:
            bug.add_note(f"while asking the cause {name} about launch {case.launch.id}")
            logger.exception("cause %s failed", name)
    made = [_demoted(case, hypothesis) for hypothesis in made]
    return sorted(made, key=lambda h: (-h.weight, h.at or LineRef("", 1 << 60), h.cause))


def _demoted(case: Case, hypothesis: Hypothesis) -> Hypothesis:
    """A hypothesis that begins at a failure behind the root, on another rank or at another time, explains an echo."""
    root = case.root
    if root is None or hypothesis.at is None or root.decisive in hypothesis.evidence or root.ref in hypothesis.evidence:
        return hypothesis
    place = next((f for f in case.originators if f.ref <= hypothesis.at <= _end(f)), None)
    if place is None or place is root or (place.time == root.time and place.rank == root.rank):
        return hypothesis
    return replace(hypothesis, weight=hypothesis.weight * _LATER)


def _end(failure: Failure) -> LineRef:
    return LineRef(failure.ref.path, failure.row.last_line)


def diagnose(case: Case) -> Diagnosis:
    """The diagnosis of one launch."""
    ranked = hypotheses(case)
    best = effective(case, ranked[0])
    rivals = tuple(_best_of_each(ranked[1:], best.cause))
    close = [rival for rival in rivals if best.weight - rival.weight < _NEAR]
    if close and best.confidence == "certain":
        best = replace(best, confidence="likely")
    said = {cause for cause, _ in best.ruled_out}
    ruled = [
        (rival.cause, f"fits less well: {rival.sentence}")
        for rival in rivals[:4]
        if rival.cause not in said and rival.weight > 0.2 and rival.cause not in NO_FAULT
    ]
    wanted = best.missing or (() if best.confidence == "certain" else _wanted(case, best))
    return Diagnosis(case.launch.id, replace(best, ruled_out=(*best.ruled_out, *ruled), missing=wanted), rivals)


def _wanted(case: Case, best: Hypothesis) -> tuple[str, ...]:
    """What would make an accusation certain."""
    return () if best.cause in _ACQUITS else tuple(missing(case.launch))[:_MOST_WANTED]


def _best_of_each(ranked: Sequence[Hypothesis], but: str) -> list[Hypothesis]:
    seen, kept = {but}, []
    for hypothesis in ranked:
        if hypothesis.cause not in seen:
            seen.add(hypothesis.cause)
            kept.append(hypothesis)
    return kept


def cases(launches: Sequence[Launch], verdicts: Verdicts) -> list[Case]:
    """One case a launch, each with its own findings."""
    return [
        Case(launch, launches, tuple(f for f in verdicts.findings if launch.id in f.launches)) for launch in launches
    ]


def about(judged: Sequence[tuple[Case, Diagnosis]]) -> Diagnosis:
    """The launch that the verdict is about: the last that ended badly, else the last with a root finding, else the
    last.
    """
    bad = [pair for pair in judged if pair[0].died]
    bad = [pair for pair in bad if _of_server(pair[0].launch)] or bad
    if bad:
        return _began(bad)
    rooted = [diagnosis for case, diagnosis in judged if any(_is_root(f) for f in case.findings)]
    servers = [diagnosis for case, diagnosis in judged if _of_server(case.launch)]
    return (rooted or servers or [diagnosis for _, diagnosis in judged])[-1]


def _began(bad: Sequence[tuple[Case, Diagnosis]]) -> Diagnosis:
    """The last, or the server of another input whose failure began it: both ran, and it failed shortly before."""
    last, others = bad[-1][0], [pair for pair in bad if pair[0].launch.path != bad[-1][0].launch.path]
    start, failed = _start(last.launch), min(_failed_at(last), _first_at(last))
    near = [(began, n) for n, (case, _) in enumerate(others) if start <= (began := _failed_at(case)) < failed]
    near = [(began, n) for began, n in near if failed - began <= _ONE_INCIDENT_S]
    return others[min(near)[1]][1] if near else bad[-1][1]


def _of_server(launch: Launch) -> bool:
    """Whether the lines are a server's, and not those of what stands before it or beside it."""
    shown = launch.arguments or launch.has("argparse_error", "budget_refused", "uvicorn", "ready")
    return launch.role not in ("router", "client") and bool(shown or launch.ranks not in ((), ("main",)))


def _start(launch: Launch) -> float:
    rows = [launch.first_row(name) for name in ("server_args", "load_weight", "prefill_batch")]
    return min((row.time for row in rows if row is not None and row.get("time") is not None), default=float("inf"))


def _failed_at(case: Case) -> float:
    """When it failed by itself; never, if it only followed."""
    failure = case.root
    return failure.time if failure is not None and failure.time is not None else float("inf")


def _first_at(case: Case) -> float:
    return min((failure.time for failure in case.failures if failure.time is not None), default=float("inf"))


def _is_root(finding: Finding) -> bool:
    return finding.role == "root"
