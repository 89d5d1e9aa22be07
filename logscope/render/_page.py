"""The whole page as plain data for the templates: every key is there, and what needs thought is done here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logscope.render import _cards, _launches, _rulers, _wording
from logscope.render._lines import Quoted, quoted
from logscope.render._numbers import plain, size, span
from logscope.render._places import files_of, with_short_places
from logscope.render._prose import prose_of
from logscope.render._reading import Report, finite, number, part, parts, text, whole, words
from logscope.render._screen import command_rows

_COMMAND_WIDTH = 84  # characters: a row of the page's widest column
_ACTIONS_AT_MOST = 5
_OVERVIEW_ROWS = 40
_CONFIDENCES = {"certain": 3, "likely": 2, "possible": 1}
_WAYS = {
    "raise": ("↑", "Raise", "raise"),
    "lower": ("↓", "Lower", "lower"),
    "leave": ("=", "Leave", "leave"),
    "depends": ("?", "Depends:", "depends"),
}
_NO_FAULT = ("healthy", "slow_by_design", "stopped_on_request")


def page(report: Report, cuts: list[str]) -> dict[str, Any]:
    """What the template `report.html.j2` reads."""
    lines = quoted(report)
    launches = _launches.launches(report, lines)
    findings = _cards.findings(report, lines)
    main = next((one for one in launches if one["main"]), None)
    return {
        "prose": prose_of(lines),
        "title": text(report, "title") or _title(report),
        "version": text(report, "logscope"),
        "schema": text(report, "schema"),
        "verdict": _verdict(report, lines),
        "main": main,
        "launches": launches,
        "others": [one for one in launches if one is not main],
        "overview": _overview(launches, findings),
        "files": [_file(one) for one in parts(report, "inputs")],
        "joined": _joined_files(report),
        "redaction": _wording.masked({"redaction": _masked(part(report, "redaction"))}),
        "redaction_known": "redaction" in report,
        "actions": [_action(one) for one in parts(part(report, "verdict"), "actions")[:_ACTIONS_AT_MOST]],
        "command": _command(text(part(report, "verdict"), "command")),
        "cards": [one for one in findings if one["card"]],
        "chain": _chain(report, findings, lines),
        "by_role": {
            role: _folded([f for f in findings if f["role"] == role])
            for role in ("root", "context", "cascade", "noise")
        },
        "ruled_out": [
            {"cause": text(one, "cause"), "words": text(one, "cause").replace("_", " "), "why": text(one, "why")}
            for one in parts(part(report, "verdict"), "ruled_out")
        ],
        "not_checked": _not_checked(report),
        "held": _held(report),
        "coverage": _coverage(report, lines),
        "tables": [{"name": text(one, "name"), "rows": f"{whole(one, 'rows'):,}"} for one in parts(report, "tables")],
        "cuts": cuts,
        "excerpts": lines.excerpts,
    }


def _command(command: str) -> str:
    """The command in rows that end between words, as a shell reads it; in one where a word of it is too wide."""
    return "\n".join(command_rows(command, _COMMAND_WIDTH)) or command


def _title(report: Report) -> str:
    paths = [text(one, "path") for one in parts(report, "inputs")]
    return (
        f"Postmortem of {paths[0]}" + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
        if paths
        else "Postmortem"
    )


def _verdict(report: Report, lines: Quoted) -> dict[str, Any]:
    verdict = part(report, "verdict")
    launch = next((one for one in parts(report, "launches") if one.get("id") == verdict.get("launch")), {})
    confidence, cause = text(verdict, "confidence", "possible"), text(verdict, "cause", "not_enough_evidence")
    evidence = parts(verdict, "evidence")
    return {
        "cause": cause,
        "words": text(verdict, "title") or cause.replace("_", " "),
        "calm": cause in _NO_FAULT,
        "sentence": text(verdict, "sentence") or "The report holds no verdict.",
        "confidence": confidence,
        "steps": _CONFIDENCES.get(confidence, 1),
        "state": _wording.state({"state": text(launch, "state", "unknown")}),
        "launch": _launches.name(launch) if launch else "",
        "direction": _direction(verdict, launch),
        "decisive": lines.passages(evidence[:1]),
        "more_evidence": lines.passages(evidence[1:]),
        "more_lines": len(evidence[1:]),
        "missing": words(verdict, "missing"),
        "upstream": [
            {"reference": text(one, "reference"), "fixed_in": text(one, "fixed_in"), "why": text(one, "why")}
            for one in parts(verdict, "upstream")
        ],
    }


def _direction(verdict: Report, launch: Report) -> dict[str, Any]:
    """Which way the static fraction must go, with its range where one is known."""
    way = text(verdict, "fraction", "leave")
    sign, verb, key = _WAYS.get(way, _WAYS["leave"])
    known = part(verdict, "fraction_range")
    lo, hi = number(known, "lo"), number(known, "hi")
    now = _launches.fraction_in_force(launch)
    floor = number(known, "floor")
    if floor is None:
        floor = next(
            (
                number(f, "value")
                for f in parts(launch, "facts")
                if text(f, "name") in ("fraction_floor", "mem_fraction_floor")
            ),
            None,
        )
    if lo is not None and hi is not None:
        aim = span(lo, hi)
    else:
        aim = f"at least {plain(lo)}" if lo is not None else f"at most {plain(hi)}" if hi is not None else ""
    drawn = way != "leave" and any(value is not None for value in (lo, hi, now))
    return {
        "key": key,
        "sign": sign,
        "verb": verb,
        "range": aim,
        "knob": text(known, "knob"),
        "acts": plain(hi) if hi is not None else "",
        "why": text(known, "why"),
        "now": "" if now is None else plain(now),
        "floor": "" if floor is None else plain(floor),
        "bar": _rulers.fraction_bar(lo, hi, now, floor) if drawn or lo is not None or hi is not None else "",
    }


def _action(one: Report) -> dict[str, Any]:
    change = part(one, "set")
    lo, hi = number(change, "lo"), number(change, "hi")
    finding = number(one, "finding")
    aim = ""
    if lo is not None and hi is not None:
        aim = plain(lo) if lo == hi else span(lo, hi)
    elif lo is not None or hi is not None:
        aim = f"at least {plain(lo)}" if lo is not None else f"at most {plain(hi or 0.0)}"
    was = change.get("from")
    stated = finite(was)
    return {
        "do": text(one, "do"),
        "alternative": bool(one.get("alternative")),
        "why": text(one, "why"),
        "verify": text(one, "verify"),
        "risk": text(one, "risk"),
        "effect": text(one, "effect"),
        "flag": text(change, "flag"),
        "from": plain(stated) if stated is not None else text(change, "from"),
        "aim": aim or text(change, "to"),
        "finding": "" if finding is None else str(int(finding)),
    }


def _file(one: Report) -> dict[str, Any]:
    return {
        "path": text(one, "path"),
        "size": size(whole(one, "bytes")),
        "lines": f"{whole(one, 'lines'):,}",
        "sha256": text(one, "sha256"),
        "complete": one.get("complete", True) is not False,
        "notes": words(one, "notes"),
        "wrappers": [
            {"name": text(w, "name"), "confidence": text(w, "confidence"), "why": text(w, "why")}
            for w in parts(one, "wrappers")
        ],
    }


def _joined_files(report: Report) -> list[str]:
    """How the files of the launch of the verdict belong together."""
    verdict = part(report, "verdict")
    fatal = [one for one in parts(report, "launches") if one.get("id") == verdict.get("launch")]
    kept = {"inputs": parts(report, "inputs"), "verdict": verdict, "launches": fatal}
    return files_of(_wording.subject(with_short_places(kept)))


def _masked(redaction: Report) -> dict[str, Any]:
    return {
        "masked": whole(redaction, "masked"),
        "kinds": {key: whole(part(redaction, "kinds"), key) for key in part(redaction, "kinds")},
    }


def _overview(launches: list[dict[str, Any]], findings: list[dict[str, Any]]) -> dict[str, Any]:
    """The launches as rows, with the number of findings of each severity; the fatal one is never left out."""
    rows = []
    for one in launches:
        counted = {
            severity: sum(one["id"] in f["launches"] and f["severity"] == severity for f in findings)
            for severity in ("error", "warning", "note")
        }
        rows.append(one | {"counts": counted})
    shown = [row for i, row in enumerate(rows) if i < _OVERVIEW_ROWS or row["main"]]
    return {"rows": shown, "more": len(rows) - len(shown)}


def _chain(report: Report, findings: list[dict[str, Any]], lines: Quoted) -> list[dict[str, Any]]:
    known = {f["id"]: f for f in findings}
    links = []
    for one in parts(part(report, "verdict"), "chain"):
        finding = number(one, "finding")
        cause = known.get(str(int(finding))) if finding is not None else None
        links.append({"says": text(one, "says"), "ref": lines.line_of(one), "finding": cause})
    return links


def _folded(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Findings of one rule and severity together: the first in full, the others counted and folded."""
    grouped: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in findings:
        grouped.setdefault((one["rule"], one["severity"]), []).append(one)
    return [{"first": members[0], "same": members[1:]} for members in grouped.values()]


def _not_checked(report: Report) -> list[dict[str, Any]]:
    """One row a reason, with the rules and subjects that share it, the most common reason first."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for one in parts(report, "not_checked"):
        rank, why = text(one, "rank"), text(one, "why")
        reason = why.replace(f"{rank} ", "the rank ", 1) if rank and why.startswith(f"{rank} ") else why
        grouped.setdefault((text(one, "rule"), reason), []).append(_subject(one))
    rows: dict[tuple[str, str], list[str]] = {}
    for (rule, why), subjects in grouped.items():
        rows.setdefault((why, _joined(subjects)), []).append(rule)
    return [
        {"rules": rules, "why": why, "subjects": subjects}
        for (why, subjects), rules in sorted(rows.items(), key=lambda row: -len(row[1]))
    ]


def _held(report: Report) -> dict[str, Any]:
    grouped: dict[str, list[str]] = {}
    for one in parts(report, "held"):
        grouped.setdefault(text(one, "rule"), []).append(_subject(one))
    total = sum(len(subjects) for subjects in grouped.values())
    return {
        "total": total,
        "rules": [{"rule": rule, "subjects": _joined(subjects)} for rule, subjects in grouped.items()],
    }


def _subject(one: Mapping[str, Any]) -> str:
    launch, rank = text(one, "launch"), text(one, "rank")
    return f"#{launch}/{rank}" if launch and rank else f"#{launch}" if launch else rank or "the log"


def _joined(subjects: list[str]) -> str:
    shown = ", ".join(subjects[:6])
    return f"{shown} and {len(subjects) - 6:,} more" if len(subjects) > 6 else shown


def _coverage(report: Report, lines: Quoted) -> dict[str, Any]:
    counts = part(report, "coverage")
    total = whole(counts, "lines")
    kinds = [(key, whole(counts, key)) for key in ("recognised", "continuation", "noise", "unread")]
    left, bars = 0.0, []
    for key, count in kinds:
        width = 640.0 * count / total if total else 0.0
        bars.append(
            {
                "key": key,
                "count": f"{count:,}",
                "share": f"{100 * count / total:.1f} %" if total else "",
                "x": f"{left:.1f}",
                "width": f"{width:.1f}",
            }
        )
        left += width
    return {
        "total": f"{total:,}",
        "adds_up": sum(count for _, count in kinds) == total,
        "bars": bars,
        "undecodable": f"{whole(counts, 'undecodable_bytes'):,}",
        "torn": f"{whole(counts, 'torn'):,}",
        "unread": [
            {"template": text(one, "template"), "count": f"{whole(one, 'count'):,}", "ref": lines.line_of(one, "first")}
            for one in parts(counts, "unread_templates")
        ],
        "unknown_keys": [
            {"family": text(one, "family"), "key": text(one, "key"), "count": f"{whole(one, 'count'):,}"}
            for one in parts(counts, "unknown_keys")
        ],
    }
