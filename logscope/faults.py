"""Diagnoses as findings: what ended or hurt a launch, where no rule has said it with its numbers.

A report without findings reads as a clean one, to exit codes, annotations and dashboards alike. So every launch that a
cause accuses, or that died, has at least one finding: the cause itself, named by its id, with the lines that prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logscope.case import Case
from logscope.diagnose import NO_FAULT, Diagnosis
from logscope.discover import units
from logscope.finding import Finding

_MOST_LINES = 6


def faults(judged: Sequence[tuple[Case, Diagnosis]]) -> Iterator[Finding]:
    """One finding a launch that is accused and has no root finding of its own."""
    for case, diagnosis in judged:
        accused = diagnosis.best.cause not in NO_FAULT
        told = any(finding.role == "root" and finding.severity == "error" for finding in case.findings)
        if (accused or case.died) and not told:
            yield _finding(case, diagnosis)


def _finding(case: Case, diagnosis: Diagnosis) -> Finding:
    best = diagnosis.best
    module = units("logscope.causes")[best.cause]
    return Finding(
        message=best.sentence,
        evidence=best.evidence[:_MOST_LINES],
        role="root",
        launches=(diagnosis.launch,),
        rule=best.cause,
        title=str(getattr(module, "TITLE", best.cause)),
        kind="signature",
        severity="error" if case.died else "warning",
    )
