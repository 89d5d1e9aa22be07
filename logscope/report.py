"""Everything that any output shows, as plain data: the report, version 1 of its schema.

The same input gives the same report: no clock, no host name, a stable order. An unknown value is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logscope import tables
from logscope.case import Case
from logscope.check import Verdicts, check
from logscope.clocks import two_clocks
from logscope.diagnose import Diagnosis, about, cases, diagnose
from logscope.excerpts import excerpts
from logscope.facts.states import fatal
from logscope.faults import faults
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.launches_data import launch_data, launch_gist
from logscope.log import Input, Log
from logscope.plain import plain, quantity_of
from logscope.quantity import LineRef
from logscope.redact import mask_line, mask_report
from logscope.verdict_data import no_verdict, quoted, verdict_data, verdict_gist
from logscope.version import VERSION

SCHEMA = "logscope.report/1"
_MOST_TEMPLATES = 50


@dataclass(frozen=True, slots=True)
class Report:
    """The report of one log: `data` is plain data of the report schema."""

    data: Mapping[str, Any]


def report(log: Log) -> Report:
    """Check, diagnose and gather all that outputs show."""
    known = _judged(log)
    verdicts, chosen = known.verdicts, known.chosen
    data: dict[str, Any] = {
        **_gist(log, known, verdict_data(log, chosen, known.findings) if chosen else no_verdict()),
        "launches": [launch_data(log, case, diagnosis) for case, diagnosis in known.judged],
        "held": [plain({"rule": h.rule, "launch": h.launch, "rank": h.rank or None}) for h in verdicts.held],
        "not_checked": [
            plain({"rule": n.rule, "launch": n.launch, "rank": n.rank or None, "why": n.why})
            for n in verdicts.not_checked
        ],
        "tables": [{"name": name, "rows": table.num_rows} for name, table in log.raw.items()],
        "excerpts": excerpts(log, chosen.best.evidence if chosen else (), known.findings),
    }
    return Report(data if log.show_prompts else mask_report(data))


def gist(log: Log) -> Report:
    """What a store keeps of a report: all that counts and compares, nothing of what is only looked at.

    It holds neither held rules nor those that were not checked, neither tables nor excerpts, of the verdict what
    happened and not what to do, and of each launch what `launch_gist` tells.
    """
    known = _judged(log)
    verdict = verdict_gist(log, known.chosen) if known.chosen else no_verdict()
    launches = [launch_gist(log, case, diagnosis) for case, diagnosis in known.judged]
    data = _gist(log, known, verdict) | {"launches": launches}
    return Report(data if log.show_prompts else mask_report(data))


@dataclass(frozen=True, slots=True)
class _Judgement:
    """What was found in a log: every rule's verdict, each launch with its diagnosis, and the one that counts."""

    verdicts: Verdicts
    judged: Sequence[tuple[Case, Diagnosis]]
    chosen: Diagnosis | None
    findings: Sequence[Finding]  # in the order of the report


def _judged(log: Log) -> _Judgement:
    verdicts = check(log.launches)
    judged = [(case, diagnose(case)) for case in cases(log.launches, verdicts)]
    findings = _roles([*verdicts.findings, *faults(judged)])
    log.fetch(_all_refs(findings, judged))
    return _Judgement(verdicts, judged, about(judged) if judged else None, findings)


def _gist(log: Log, known: _Judgement, verdict: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "logscope": VERSION,
        "inputs": [_input(log, one) for one in log.inputs],
        "coverage": _coverage(log),
        "launches": [],
        "verdict": verdict,
        "findings": [_finding(log, number, finding) for number, finding in enumerate(known.findings)],
    }


def _input(log: Log, one: Input) -> dict[str, Any]:
    return {
        "path": one.source.path,
        "bytes": one.source.bytes,
        "lines": one.source.lines,
        "sha256": one.source.sha256,
        "wrappers": [dict(w) for w in one.wrappers],
        "complete": _complete(log, one),
        **_shared(log, one),
    }


def _shared(log: Log, one: Input) -> dict[str, Any]:
    """What was wrong on the way, what is too much to be looked at, which lines count elsewhere, and how a wrapper's
    clock stands to the log's.
    """
    track, notes, clocks = one.track, list(one.source.notes), two_clocks(one.track)
    if log.window.told:
        notes.append(f"only {log.window.told} were judged (--since, --until); the others were read and left out")
    if track.same_as:
        notes.append(f"same content as {track.same_as}: counted once, there")
    elif track.overlaps:
        notes.append(f"the first {track.overlap_lines} lines are the last of {track.overlaps}: counted once, there")
    notes += [note for launch in log.launches if launch.path == track.path for note in _thinned(launch)]
    return {
        **({"notes": notes} if notes else {}),
        **({"damage": one.source.damage} if one.source.damage else {}),
        **({"clocks": [clocks]} if clocks else {}),
        **({"same_as": track.same_as} if track.same_as else {}),
        **(
            {"overlap": {"path": track.overlaps, "lines": track.overlap_lines}}
            if track.overlaps and not track.same_as
            else {}
        ),
    }


def _thinned(launch: Launch) -> Iterator[str]:
    for name, looked_at in sorted(launch.thinned.items()):
        rows = launch.table(name).num_rows
        yield (
            f"launch {launch.id} has {rows:,} rows of {name}: {looked_at:,} were looked at one by one, "
            "the first and the last of each kind"
        )


def _complete(log: Log, one: Input) -> bool:
    """Whether the input holds a launch's end: not cut, and it does not stop between batches."""
    path = one.track.same_as or one.source.path
    last = [launch for launch in log.launches if any(piece.path == path for piece in launch.pieces)]
    if not last:
        return False
    ends = (
        "shutdown",
        "signal",
        "process_exit",
        "failure",
        "argparse_error",
        "fatal_signal",
        "watchdog",
        "budget_refused",
    )
    return (last[-1].has(*ends) or bool(fatal(last[-1]))) and not one.source.notes


def _coverage(log: Log) -> dict[str, Any]:
    names = ("recognised", "continuation", "noise", "unread")
    counts = {name: sum(one.coverage.counts[name] for one in log.inputs) for name in names}
    found = [tables.unread(one.coverage.templates, one.source.path).to_pylist() for one in log.inputs]
    rows = sorted((row for of_input in found for row in of_input), key=lambda r: (-r["count"], r["path"], r["line"]))
    unknown = sorted(
        (family, key, sum(one.coverage.unknown_keys[family, key] for one in log.inputs))
        for family, key in {pair for one in log.inputs for pair in one.coverage.unknown_keys}
    )
    return {
        "lines": sum(counts.values()),
        **counts,
        "undecodable_bytes": sum(one.coverage.undecodable_bytes for one in log.inputs),
        "torn": sum(one.coverage.torn for one in log.inputs),
        "unread_templates": [
            {
                "template": mask_line(r["template"])[0],
                "count": r["count"],
                "first": {"path": r["path"], "line": r["line"]},
            }
            for r in rows[:_MOST_TEMPLATES]
        ],
        "unknown_keys": [{"family": family, "key": key, "count": count} for family, key, count in unknown],
        "noise_programs": _noise(log),
    }


def _noise(log: Log) -> list[dict[str, Any]]:
    programs = {program for one in log.inputs for program in one.coverage.programs}
    return [{"program": p, "lines": sum(one.coverage.programs[p] for one in log.inputs)} for p in sorted(programs)]


def _roles(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, roots first, then by severity; a finding without a role is context."""
    from dataclasses import replace

    order = {"root": 0, "cascade": 1, "context": 2, "noise": 3}
    severity = {"error": 0, "warning": 1, "note": 2}
    done = [replace(f, role=f.role or "context") for f in findings]
    return sorted(
        done, key=lambda f: (order[f.role or "context"], severity[f.severity], f.launches, f.rule, f.rank or "")
    )


def _all_refs(findings: Iterable[Finding], judged: Iterable[tuple[Case, Diagnosis]]) -> list[LineRef]:
    refs = [ref for f in findings for ref in f.evidence]
    for _, diagnosis in judged:
        refs.extend(diagnosis.best.evidence)
    return refs


def _finding(log: Log, number: int, finding: Finding) -> dict[str, Any]:
    gap = finding.gap
    return plain(
        {
            "id": number,
            "rule": finding.rule,
            "title": finding.title,
            "kind": finding.kind,
            "severity": finding.severity,
            "role": finding.role,
            "launches": list(finding.launches),
            "rank": finding.rank,
            "message": finding.message,
            "observed": quantity_of(finding.observed) if finding.observed else None,
            "computed": quantity_of(finding.computed) if finding.computed else None,
            "gap": {"value": gap.value, "rounding_explains": gap.rounding_explains, "unit": gap.unit} if gap else None,
            "conflict": [quantity_of(q) for q in finding.conflict] or None,
            "solutions": [
                {"quantities": [dict(q) for q in s.quantities], "status": s.status, "why": s.why}
                for s in finding.solutions
            ]
            or None,
            "evidence": quoted(log, finding.evidence),
            "data": dict(finding.data) or None,
        }
    )
