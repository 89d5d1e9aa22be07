"""The report on one screen of a terminal: what somebody who was woken up needs, in the order in which they need it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from logscope.render import _wording as words
from logscope.render._order import ordered_findings
from logscope.render._places import files_of, with_short_places
from logscope.render._screen import (
    LABEL,
    Row,
    clock,
    coloured,
    command_rows,
    heading,
    labelled,
    listed,
    quoted_line,
    wrapped,
)
from logscope.render._shortened import shortened

SUFFIX = ".txt"
WIDTH_MIN, WIDTH_MAX = 40, 140
NOTES = 3  # on how inputs were read, at most
_FILLED = 0.93  # of a row, on the average: words are not broken
PLACE_MAX = 28  # columns of the file and line before a quoted line


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of each part is shown; the least that is still worth reading."""

    evidence: int = 1
    evidence_rows: int = 1
    actions: int = 2
    why_rows: int = 0
    effect_rows: int = 0
    verify_rows: int = 0
    risk_rows: int = 0
    findings: int = 0
    finding_rows: int = 1
    ruled_out: int = 1
    missing: int = 1
    files: int = 1
    command_rows: int = 0
    reason_rows: int = 1  # of a sentence that says why: the range, the files, what was ruled out, what is missing


# What is added as long as the screen holds it, in the order in which somebody who was woken up wants it.
ADDED: tuple[tuple[str, int], ...] = (
    *(("evidence_rows", 2), ("evidence", 2), ("actions", 3), ("findings", 1), ("finding_rows", 2), ("command_rows", 8)),
    *(("findings", 2), ("effect_rows", 2), ("why_rows", 1), ("findings", 3), ("verify_rows", 1), ("reason_rows", 2)),
    *(("why_rows", 2), ("ruled_out", 2), ("missing", 2), ("files", 2), ("ruled_out", 3), ("findings", 4)),
    *(("evidence_rows", 3), ("evidence", 3), ("finding_rows", 3), ("verify_rows", 2), ("risk_rows", 1), ("missing", 3)),
    *(("evidence", 4), ("findings", 5), ("ruled_out", 4), ("files", 4), ("reason_rows", 3), ("why_rows", 3)),
    *(("risk_rows", 2), ("findings", 6), ("findings", 7), ("findings", 8)),
)


def text(report: Mapping[str, Any], width: int = 100, height: int = 40, *, color: bool = False) -> str:
    """The report in at most `height` rows of `width` columns; with `color`, styled for a terminal."""
    width = max(WIDTH_MIN, min(width, WIDTH_MAX))
    report = with_short_places(report)
    detail = Detail()
    rows = list(_rows(report, detail, width))
    for name, value in ADDED:
        more = replace(detail, **{name: value})
        longer = list(_rows(report, more, width))
        if len(longer) <= height:
            detail, rows = more, longer
    return coloured(rows, width) if color else "".join(f"{row.rstrip()}\n" for _, row in rows)


def _rows(report: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    verdict = report.get("verdict", {})
    yield from _head(report, width)
    others = list(verdict.get("ruled_out") or ())
    ruled_out = [f"{words.prose(o.get('cause', ''))}: {words.prose(o.get('why', ''))}" for o in others]
    missing = [words.prose(one) for one in verdict.get("missing") or ()]
    reasons = detail.reason_rows
    for part in (
        _facts(report, detail, width),
        _proof(verdict, detail, width),
        _findings(report, detail, width),
        _actions(verdict, detail, width),
        _command(verdict, detail, width),
        listed("NOT IT", ruled_out, shown=detail.ruled_out, rows=reasons, width=width),
        listed("MISSING", missing, shown=detail.missing, rows=reasons, width=width),
        _foot(report, width),
    ):
        rows = list(part)
        if rows:
            yield "plain", ""
            yield from rows


def _head(report: Mapping[str, Any], width: int) -> Iterator[Row]:
    verdict = report.get("verdict", {})
    cause = words.prose(verdict.get("cause", ""))
    style = "good" if cause in words.NO_FAULT else "doubt" if cause == "not_enough_evidence" else "bad"
    title = f"{words.headline(report).upper()}  {cause} ({words.prose(verdict.get('confidence', ''))})"
    yield style, words.clip(title, width)
    for row in wrapped(verdict.get("sentence", ""), width, rows=8):
        yield "strong", row


def _facts(report: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    verdict, launch = report.get("verdict", {}), words.subject(report)
    why = words.prose((verdict.get("fraction_range") or {}).get("why", ""))
    way = words.direction(report)
    style = "plain" if verdict.get("fraction", "leave") == "leave" else "way"
    yield from labelled("FRACTION", way, width, rows=2, style=style)
    if why:
        yield from labelled("", why, width, rows=detail.reason_rows)
    if not launch:
        return
    times = [
        f"{label} {clock(launch[key])}"
        for key, label in (("start", "start"), ("ready", "ready"), ("last_good", "last good"), ("end", "end of log"))
        if launch.get(key)
    ]
    yield from labelled("STATE", "; ".join(filter(None, [words.state(launch), ", ".join(times)])), width, rows=2)
    fitting = words.prose(((launch.get("release") or {}).get("fitting") or {}).get("says", ""))
    server = [f"{words.server(launch)} ({fitting})" if fitting else words.server(launch)]
    server += [words.prose(launch[key]) for key in ("model", "parallelism", "hardware") if launch.get(key)]
    yield from labelled("SERVER", ", ".join(server), width, rows=detail.reason_rows)
    launches = report.get("launches", ())
    if len(launches) > 1:
        states = ", ".join(f"#{one.get('id')} {words.state(one).partition(':')[0]}" for one in launches[:6])
        more = f" and {len(launches) - 6} more" if len(launches) > 6 else ""
        text = f"this is #{launch.get('id')} of {len(launches)}: {states}{more}"
        yield from labelled("LAUNCH", text, width, rows=detail.reason_rows)
    yield from listed("FILES", files_of(launch), shown=detail.files, rows=detail.reason_rows, width=width)


def _proof(verdict: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    evidence = list(verdict.get("evidence") or ())
    if evidence:
        yield "label", heading("PROOF", len(evidence), detail.evidence)
    places = [words.clip_path(words.place(one), PLACE_MAX) for one in evidence[: detail.evidence]]
    indent = max(map(len, places), default=0) + 3
    for place, line in zip(places, evidence, strict=False):
        room = int(_FILLED * (width - indent) * detail.evidence_rows)
        told = shortened(quoted_line(line.get("text", "")), str(verdict.get("sentence", "")), room)
        shown = wrapped(told, width - indent, rows=detail.evidence_rows)
        yield "quote", f" {place:<{indent - 1}}{shown[0]}"
        yield from (("quote", " " * indent + row) for row in shown[1:])


def _findings(report: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    """What else was found, as a reader wants it; the finding that the verdict itself is has been said above."""
    verdict = report.get("verdict", {})
    cause, launch, several = verdict.get("cause"), verdict.get("launch"), len(report.get("launches", ())) > 1
    others = [
        one
        for one in ordered_findings(report)
        if (one.get("rule") != cause or launch not in (one.get("launches") or (launch,))) and not _said(verdict, one)
    ]
    if others and detail.findings:
        yield "label", heading("ALSO FOUND", len(others), detail.findings)
    for one in others[: detail.findings]:
        numbers = words.numbers_of(one)
        where = f" #{one['launches'][0]}" if several and one.get("launches") else ""
        said = words.prose(one.get("message") or one.get("title", ""))
        message = f"{words.prose(one.get('severity', ''))} {words.prose(one.get('rule', ''))}{where}: {said}"
        yield from (("plain", f" {row}") for row in wrapped(message, width - 1, rows=detail.finding_rows))
        if numbers and detail.finding_rows > 1:
            yield from (("plain", f"   {row}") for row in wrapped(numbers, width - 3, rows=2))


def _said(verdict: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    """Whether a finding that compares nothing rests on lines quoted as the proof: it says the verdict again."""
    if finding.get("kind") not in ("smell", "signature") or finding.get("observed"):
        return False
    quoted = {(line.get("path"), line.get("line")) for line in verdict.get("evidence") or ()}
    own = {(line.get("path"), line.get("line")) for line in finding.get("evidence") or ()}
    return bool(own) and own <= quoted


def _actions(verdict: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    actions = list(verdict.get("actions") or ())
    if actions:
        yield "label", heading("DO NOW", len(actions), detail.actions)
    for number, action in enumerate(actions[: detail.actions], start=1):
        rows = wrapped(action.get("do", ""), width - 4, rows=2)
        yield "do", f" {number}. {rows[0]}"
        yield from (("do", f"    {row}") for row in rows[1:])
        for label, key, height in (
            ("", "why", detail.why_rows),
            ("", "effect", detail.effect_rows),
            ("check: ", "verify", detail.verify_rows),
            ("risk: ", "risk", detail.risk_rows),
        ):
            if action.get(key) and height:
                yield from (("dim", f"    {row}") for row in wrapped(label + action[key], width - 4, rows=height))


def _command(verdict: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    """The command to start anew, whole or not at all: half a command is worse than the word where it stands."""
    command = verdict.get("command")
    if not command:
        return
    rows = command_rows(str(command), width)
    if 0 < len(rows) <= detail.command_rows:
        yield "label", "COMMAND (the old one with the changes)"
        yield from (("do", row) for row in rows)
    else:
        yield from labelled("COMMAND", "ready to copy in every other format: -o report.html", width, rows=1)


def _foot(report: Mapping[str, Any], width: int) -> Iterator[Row]:
    yield from labelled("READ", words.coverage(report), width, rows=2, style="dim")
    inputs = report.get("inputs", ())
    notes = [f"{one.get('path', '-')}: {note}" for one in inputs for note in one.get("notes", ())]
    yield from listed("", notes, shown=min(len(notes), NOTES), rows=2, width=width)
    end = next((f" ({end})" for one in inputs if (end := words.end_of(report, one))), "")
    checks = f"{len(report.get('held', ()))} checks held, {len(report.get('not_checked', ()))} not checked"
    rest = ", ".join(filter(None, [_counted(report), checks, words.masked(report)]))
    yield from labelled("", rest, width, rows=2, style="dim")
    if inputs:
        more = len(inputs) - 1
        others = f" and {more} more file{'' if more == 1 else 's'}" if more else ""
        room = width - LABEL - len(others) - len(end)
        yield "dim", f"{'':<{LABEL}}{words.clip_path(inputs[0].get('path', '-'), max(room, 10))}{others}{end}"


def _counted(report: Mapping[str, Any]) -> str:
    """`4 findings (2 errors, 2 notes)`, `no findings`."""
    findings = report.get("findings", ())
    counts = Counter(one.get("severity", "note") for one in findings)
    known = [(name, counts[name]) for name in ("error", "warning", "note") if counts[name]]
    kinds = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in known)
    if not findings:
        return "no findings"
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'} ({kinds})"
