"""Quoted lines with what stands around them: one excerpt a group of neighbouring evidence lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from logscope.finding import Finding
from logscope.log import Log
from logscope.quantity import LineRef

_AROUND = 2  # lines of context
_MOST = 40  # excerpts in one report


def excerpts(log: Log, verdict: Iterable[LineRef], findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Excerpts in the order of the lines; of very many, those of the verdict and then of the first findings."""
    wanted: dict[LineRef, tuple[str, int | None]] = dict.fromkeys(verdict, ("verdict", None))
    for number, finding in enumerate(findings):
        for ref in finding.evidence:
            wanted.setdefault(ref, (finding.rule, number))
    groups = _foremost(_groups(sorted(wanted)), {ref: finding for ref, (_, finding) in wanted.items()})
    log.fetch(ref for group in groups for ref in _lines(group))
    return [_excerpt(log, group, *wanted[group[0]]) for group in groups]


def _groups(refs: Sequence[LineRef]) -> list[list[LineRef]]:
    groups: list[list[LineRef]] = []
    for ref in refs:
        near = groups and groups[-1][-1].path == ref.path and ref.line - groups[-1][-1].line <= 2 * _AROUND
        if near:
            groups[-1].append(ref)
        else:
            groups.append([ref])
    return groups


def _foremost(groups: Sequence[list[LineRef]], finding_of: Mapping[LineRef, int | None]) -> list[list[LineRef]]:
    """At most so many groups: what the verdict quotes first, then the findings in their own order."""

    def rank(number: int) -> tuple[int, int]:
        findings = [finding_of[ref] for ref in groups[number]]
        return min(-1 if finding is None else finding for finding in findings), number

    return [groups[number] for number in sorted(sorted(range(len(groups)), key=rank)[:_MOST])]


def _lines(group: Sequence[LineRef]) -> list[LineRef]:
    first, last = max(1, group[0].line - _AROUND), group[-1].line + _AROUND
    return [LineRef(group[0].path, number) for number in range(first, last + 1)]


def _excerpt(log: Log, group: Sequence[LineRef], why: str, finding: int | None) -> dict[str, Any]:
    refs = _lines(group)
    lines = log.shown(refs)
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    made: dict[str, Any] = {
        "path": group[0].path,
        "first": refs[0].line,
        "lines": lines,
        "marked": [ref.line for ref in group],
        "why": why,
    }
    return made | ({"finding": finding} if finding is not None else {})
