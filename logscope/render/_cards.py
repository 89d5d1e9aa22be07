"""Findings as the page shows them: cards for contradictions, short entries for the rest."""

from __future__ import annotations

from typing import Any

from logscope.render import _rulers
from logscope.render._lines import Quoted
from logscope.render._numbers import amount, between, plain
from logscope.render._reading import Report, number, part, parts, text, words

_KINDS = {
    "impossible": "the printed numbers cannot all belong to one launch",
    "mismatch": "the numbers contradict what these releases compute",
    "smell": "unusual, or explained by something outside the process",
    "signature": "a known text",
}
_SEVERITIES = ("error", "warning", "note")
_ROLES = ("root", "cascade", "noise", "context")


def findings(report: Report, lines: Quoted) -> list[dict[str, Any]]:
    """One view a finding, in the order of the report."""
    return [_finding(one, lines, index) for index, one in enumerate(parts(report, "findings"))]


def _finding(one: Report, lines: Quoted, index: int) -> dict[str, Any]:
    known = number(one, "id")
    key = str(index if known is None else int(known))
    kind, severity, role = text(one, "kind", "smell"), text(one, "severity", "note"), text(one, "role", "context")
    view = {
        "id": key,
        "anchor": f"finding-{key}",
        "rule": text(one, "rule"),
        "title": text(one, "title") or text(one, "rule"),
        "kind": kind,
        "kind_class": kind if kind in _KINDS else "smell",
        "kind_means": _KINDS.get(kind, ""),
        "severity": severity if severity in _SEVERITIES else "note",
        "role": role if role in _ROLES else "context",
        "launches": words(one, "launches"),
        "rank": text(one, "rank"),
        "message": text(one, "message"),
        "comparison": _comparison(one, lines, f"ruler-{key}"),
        "conflict": [_input(q, lines) for q in parts(one, "conflict")],
        "solutions": [_solution(s) for s in parts(one, "solutions")],
        "passages": lines.passages(parts(one, "evidence")),
    }
    compares = bool(view["comparison"] or view["conflict"] or view["solutions"])
    return view | {"card": compares or kind in ("impossible", "mismatch")}


def _comparison(one: Report, lines: Quoted, key: str) -> dict[str, Any]:
    """Observed against computed; empty when either has no number."""
    observed, computed, gap = part(one, "observed"), part(one, "computed"), part(one, "gap")
    seen, reckoned = number(observed, "value"), number(computed, "value")
    if seen is None or reckoned is None:
        return {}
    unit = text(observed, "unit") or text(computed, "unit")
    explains, distance = number(gap, "rounding_explains"), number(gap, "value")
    return {
        "svg": _rulers.gap_ruler(
            key,
            _three(observed, seen),
            _three(computed, reckoned),
            unit,
            (text(observed, "name"), text(computed, "name")),
        ),
        "observed": _side(observed, lines),
        "computed": _side(computed, lines),
        "equation": text(computed, "equation"),
        "gap": "" if distance is None else amount(distance, text(gap, "unit") or unit),
        "rounding": "" if explains is None else amount(explains, text(gap, "unit") or unit),
        "times": _times(distance, explains),
        "within": distance is not None and explains is not None and abs(distance) <= explains,
    }


def _times(distance: float | None, explains: float | None) -> str:
    """How many times the gap exceeds what rounding explains."""
    if not distance or not explains or abs(distance) <= explains:
        return ""
    return f"{abs(distance) / explains:,.0f}" if abs(distance) / explains >= 2 else f"{abs(distance) / explains:.2f}"


def _three(quantity: Report, value: float) -> tuple[float, float, float]:
    lo, hi = number(quantity, "lo"), number(quantity, "hi")
    return value, value if lo is None else lo, value if hi is None else hi


def _side(quantity: Report, lines: Quoted) -> dict[str, Any]:
    return {
        "name": text(quantity, "name").replace("_", " "),
        "value": amount(number(quantity, "value"), text(quantity, "unit")),
        "between": between(number(quantity, "lo"), number(quantity, "hi")),
        "ref": lines.line_of(quantity),
        "equation": text(quantity, "equation"),
    }


def _input(quantity: Report, lines: Quoted) -> dict[str, Any]:
    return _side(quantity, lines) | {
        "name": text(quantity, "name"),
        "rank": text(quantity, "rank"),
        "from": text(quantity, "from"),
    }


def _solution(solution: Report) -> dict[str, Any]:
    status = text(solution, "status", "possible")
    return {
        "status": "excluded" if status == "excluded" else "possible",
        "why": text(solution, "why"),
        "quantities": [
            {
                "name": text(q, "name"),
                "needed": _needed(number(q, "lo"), number(q, "hi"), text(q, "unit")),
                "stated": _stated(q),
            }
            for q in parts(solution, "quantities")
        ],
    }


def _needed(lo: float | None, hi: float | None, unit: str) -> str:
    shown = between(lo, hi)
    if shown == "exact" and lo is not None:
        return amount(lo, unit)
    return shown if unit == "share" else f"{shown} {unit}".rstrip()


def _stated(quantity: Report) -> str:
    value = number(quantity, "stated")
    return text(quantity, "stated") if value is None else plain(value)
