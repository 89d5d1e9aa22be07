"""What matters most comes first, so that an output that must be cut is cut from its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

ROLES = ("root", "context", "cascade", "noise")
SEVERITIES = ("error", "warning", "note")
BAD_STATES = ("failed_startup", "ready_then_crashed", "hung")


def ordered_findings(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Root before context, cascade and noise; errors before warnings before notes; then one of each rule.

    A log of a thousand launches says the same a thousand times: a rule is repeated only after every other of its role
    and severity was heard, and the launch of the verdict is heard before the others.
    """
    findings = [one for one in report.get("findings") or () if isinstance(one, Mapping)]
    verdict = report.get("verdict") or {}
    launch = verdict.get("launch")

    def weight(one: Mapping[str, Any]) -> tuple[int, int]:
        return _index(ROLES, one.get("role", "context")), _index(SEVERITIES, one.get("severity", "note"))

    ranked = sorted(findings, key=lambda one: (*weight(one), launch not in (one.get("launches") or (launch,))))
    heard: Counter[tuple[object, ...]] = Counter()
    told = []
    for one in ranked:
        kind = (*weight(one), str(one.get("rule")))
        told.append((*weight(one), heard[kind], one))
        heard[kind] += 1
    return [one for *_, one in sorted(told, key=lambda each: each[:3])]


def ordered_launches(launches: Sequence[Mapping[str, Any]], fatal: object) -> list[Mapping[str, Any]]:
    """The launch of the verdict, then those that ended badly, the nearest to it first, then the others."""
    at = next((number for number, one in enumerate(launches) if one.get("id") == fatal), 0)

    def weight(number: int) -> tuple[bool, bool, int]:
        one = launches[number]
        return one.get("id") != fatal, one.get("state") not in BAD_STATES, abs(number - at)

    return [launches[number] for number in sorted(range(len(launches)), key=weight)]


def _index(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)
