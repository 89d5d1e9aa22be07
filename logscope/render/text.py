"""The report on one screen of a terminal: what somebody who was woken up needs, in the order in which they need it."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from logscope.render import _wording as words

SUFFIX = ".txt"
WIDTH_MIN, WIDTH_MAX = 40, 140
LABEL = 10
# The prefix that SGLang prints is worth less than the words behind it when a line must be cut.
_PREFIX = re.compile(r"\[(?:\d{4}-\d\d-\d\d )?(\d\d:\d\d:\d\d)[^\]]{0,60}\] (?:INFO:? +|WARNING:? +|ERROR:? +)?")


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of each part is shown; the least that is still worth reading."""

    evidence: int = 1
    evidence_rows: int = 1
    actions: int = 2
    why_rows: int = 0
    verify_rows: int = 0
    risk_rows: int = 0
    findings: int = 0
    finding_rows: int = 1
    ruled_out: int = 1
    missing: int = 1
    reason_rows: int = 1  # of a sentence that says why: the range, what was ruled out, what is missing


# What is added as long as the screen holds it, in the order in which somebody who was woken up wants it.
ADDED: tuple[tuple[str, int], ...] = (
    *(("evidence_rows", 2), ("evidence", 2), ("actions", 3), ("why_rows", 1), ("findings", 1), ("finding_rows", 2)),
    *(("verify_rows", 1), ("reason_rows", 2), ("why_rows", 2), ("ruled_out", 2), ("missing", 2), ("findings", 2)),
    *(("ruled_out", 3), ("evidence_rows", 3), ("evidence", 3), ("finding_rows", 3), ("verify_rows", 2)),
    *(("risk_rows", 1), ("missing", 3), ("evidence", 4), ("ruled_out", 4), ("findings", 3), ("reason_rows", 3)),
    *(("why_rows", 3), ("risk_rows", 2)),
)
Row = tuple[str, str]  # style, text


def text(report: Mapping[str, Any], width: int = 100, height: int = 40, *, color: bool = False) -> str:
    """The report in at most `height` rows of `width` columns; with `color`, styled for a terminal."""
    width = max(WIDTH_MIN, min(width, WIDTH_MAX))
    report = words.with_short_places(report)
    detail = Detail()
    rows = list(_rows(report, detail, width))
    for name, value in ADDED:
        more = replace(detail, **{name: value})
        longer = list(_rows(report, more, width))
        if len(longer) <= height:
            detail, rows = more, longer
    return _coloured(rows, width) if color else "".join(f"{row.rstrip()}\n" for _, row in rows)


def _rows(report: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    verdict = report.get("verdict", {})
    yield from _head(report, width)
    yield "plain", ""
    yield from _facts(report, detail, width)
    yield from _proof(report, detail, width)
    yield from _actions(verdict, detail, width)
    others = list(verdict.get("ruled_out") or ())
    said = [f"{words.prose(o.get('cause', ''))}: {words.prose(o.get('why', ''))}" for o in others]
    yield from _listed("NOT IT", said, shown=detail.ruled_out, rows=detail.reason_rows, width=width)
    missing = [words.prose(one) for one in verdict.get("missing") or ()]
    yield from _listed("MISSING", missing, shown=detail.missing, rows=detail.reason_rows, width=width)
    yield from _foot(report, width)


def _head(report: Mapping[str, Any], width: int) -> Iterator[Row]:
    verdict = report.get("verdict", {})
    cause = words.prose(verdict.get("cause", ""))
    style = "good" if cause in words.NO_FAULT else "doubt" if cause == "not_enough_evidence" else "bad"
    title = f"{words.headline(report).upper()}  {cause} ({words.prose(verdict.get('confidence', ''))})"
    yield style, words.clip(title, width)
    for row in _wrapped(verdict.get("sentence", ""), width, rows=5):
        yield "strong", row


def _facts(report: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    verdict, launch = report.get("verdict", {}), words.subject(report)
    why = words.prose((verdict.get("fraction_range") or {}).get("why", ""))
    way = words.direction(report)
    style = "plain" if verdict.get("fraction", "leave") == "leave" else "way"
    yield from _labelled("FRACTION", way, width, rows=2, style=style)
    if why:
        yield from _labelled("", why, width, rows=detail.reason_rows)
    if not launch:
        return
    times = [
        f"{label} {_clock(launch[key])}"
        for key, label in (("start", "start"), ("ready", "ready"), ("last_good", "last good"), ("end", "end of log"))
        if launch.get(key)
    ]
    yield from _labelled("STATE", "; ".join(filter(None, [words.state(launch), ", ".join(times)])), width, rows=2)
    server = [f"SGLang {words.release(launch)}"]
    server += [words.prose(launch[key]) for key in ("model", "parallelism", "hardware") if launch.get(key)]
    yield from _labelled("SERVER", ", ".join(server), width, rows=detail.reason_rows)
    launches = report.get("launches", ())
    if len(launches) > 1:
        states = ", ".join(f"#{one.get('id')} {words.prose(one.get('state', ''))}" for one in launches[:6])
        more = f" and {len(launches) - 6} more" if len(launches) > 6 else ""
        text = f"this is #{launch.get('id')} of {len(launches)}: {states}{more}"
        yield from _labelled("LAUNCH", text, width, rows=detail.reason_rows)


def _proof(report: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    evidence = list(report.get("verdict", {}).get("evidence") or ())
    if evidence:
        yield "plain", ""
        yield "label", _heading("PROOF", len(evidence), detail.evidence)
    places = [words.place(one) for one in evidence[: detail.evidence]]
    indent = min(max(map(len, places), default=0), 28) + 3
    for place, line in zip(places, evidence, strict=False):
        shown = _wrapped(_quoted(line.get("text", "")), width - indent, rows=detail.evidence_rows)
        yield "quote", f" {words.clip(place, 28):<{indent - 1}}{shown[0]}"
        yield from (("quote", " " * indent + row) for row in shown[1:])
    told = [f for f in words.ordered_findings(report) if f.get("role") == "root" or words.numbers_of(f)]
    told = [f for f in told if f.get("role") in ("root", "context") and f.get("severity") != "note"][: detail.findings]
    for finding in told:
        numbers = words.numbers_of(finding)
        message = f"{words.prose(finding.get('rule', ''))} {words.prose(finding.get('message', ''))}"
        rows = _wrapped(message, width - 1, rows=detail.finding_rows)
        yield from (("plain", f" {row}") for row in rows)
        if numbers:
            yield from (("plain", f"   {row}") for row in _wrapped(numbers, width - 3, rows=2))


def _actions(verdict: Mapping[str, Any], detail: Detail, width: int) -> Iterator[Row]:
    actions = list(verdict.get("actions") or ())
    if not actions:
        return
    yield "plain", ""
    yield "label", _heading("DO NOW", len(actions), detail.actions)
    for number, action in enumerate(actions[: detail.actions], start=1):
        rows = _wrapped(action.get("do", ""), width - 4, rows=2)
        yield "do", f" {number}. {rows[0]}"
        yield from (("do", f"    {row}") for row in rows[1:])
        for key, height in (("why", detail.why_rows), ("verify", detail.verify_rows), ("risk", detail.risk_rows)):
            if action.get(key) and height:
                label = {"why": "", "verify": "check: ", "risk": "risk: "}[key]
                yield from (("dim", f"    {row}") for row in _wrapped(label + action[key], width - 4, rows=height))


def _listed(label: str, sentences: Sequence[str], *, shown: int, rows: int, width: int) -> Iterator[Row]:
    if not sentences:
        return
    yield "plain", ""
    more = len(sentences) - shown
    for number, sentence in enumerate(sentences[:shown]):
        tail = f" (+{more} more)" if more > 0 and number == shown - 1 else ""
        yield from _labelled(label if number == 0 else "", sentence, width, rows=rows, tail=tail)


def _foot(report: Mapping[str, Any], width: int) -> Iterator[Row]:
    yield "plain", ""
    yield from _labelled("READ", words.coverage(report), width, rows=2, style="dim")
    inputs = report.get("inputs", ())
    cut = " (ends while the server runs, or is cut)" if any(not one.get("complete", True) for one in inputs) else ""
    count = len(report.get("findings", ()))
    checks = f"{len(report.get('held', ()))} checks held, {len(report.get('not_checked', ()))} not checked"
    rest = ", ".join(filter(None, [f"{count} finding{'' if count == 1 else 's'}", checks, words.masked(report)]))
    yield from _labelled("", rest, width, rows=2, style="dim")
    if inputs:
        others = f" and {len(inputs) - 1} more files" if len(inputs) > 1 else ""
        room = width - LABEL - len(others) - len(cut)
        yield "dim", f"{'':<{LABEL}}{words.clip_path(inputs[0].get('path', '-'), max(room, 10))}{others}{cut}"


def _heading(label: str, total: int, shown: int) -> str:
    return f"{label} ({shown} of {total})" if total > shown else label


def _labelled(
    label: str, sentence: str, width: int, *, rows: int, style: str = "plain", tail: str = ""
) -> Iterator[Row]:
    wrapped = _wrapped(sentence, width - LABEL - len(tail), rows=rows)
    wrapped[-1] += tail
    for number, row in enumerate(wrapped):
        yield style, f"{label if number == 0 else '':<{LABEL}}{row}"


def _wrapped(sentence: object, width: int, *, rows: int) -> list[str]:
    """At least one row; what does not fit into the last one is cut with an ellipsis."""
    shown = words.prose(str(sentence)[: width * (rows + 2)])
    lines = textwrap.wrap(shown, max(width, 10), break_on_hyphens=False) or [""]
    if len(lines) > rows:
        lines = [*lines[: rows - 1], words.clip(" ".join(lines[rows - 1 :]), max(width, 10))]
    if len(str(sentence)) > width * (rows + 2) and not lines[-1].endswith("…"):
        lines[-1] = words.clip(lines[-1] + " …", max(width, 10))
    return lines


def _quoted(line: object) -> str:
    """A log line without its date and ranks, which a narrow screen has no room for; the time of day stays."""
    return _PREFIX.sub(lambda match: f"{match[1]} ", str(line), count=1)


def _clock(time: object) -> str:
    """The time of day of an ISO time; anything else unchanged."""
    day, _, clock = str(time).partition("T")
    return words.prose(clock.partition(".")[0] if clock else day)


def _coloured(rows: Sequence[Row], width: int) -> str:
    from rich.console import Console
    from rich.text import Text

    styles = {
        "bad": "bold white on red",
        "good": "bold black on green",
        "doubt": "bold black on yellow",
        "strong": "bold",
        "way": "bold yellow",
        "label": "bold",
        "do": "bold cyan",
        "quote": "cyan",
        "dim": "dim",
        "plain": "",
    }
    console = Console(file=io.StringIO(), force_terminal=True, width=width, highlight=False, legacy_windows=False)
    for style, row in rows:
        console.print(Text(row.rstrip(), style=styles[style]), soft_wrap=True)
    output = console.file.getvalue()  # type: ignore[attr-defined]
    return str(output)
