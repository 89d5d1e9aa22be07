"""Markdown for a comment on GitHub, GitLab or Jira: the postmortem with the parts that only people know left blank."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from logscope.render import _wording as words
from logscope.render._events_md import grouped_events
from logscope.render._findings_md import finding_section
from logscope.render._markup_md import code, details, escape, fence, folded, quoted, table
from logscope.render._order import ordered_findings
from logscope.render._places import files_of, with_short_places

SUFFIX = ".md"
SIZE_MAX = 65_536  # characters and bytes of a comment on GitHub
FILE_NOTES = 3
ROOM = 400  # for the sentence that says what was left out
_LABELS = {"last_good": "Last good", "timezone": "Time zone", "end": "End of log"}
BLANKS = (
    ("Impact", "who noticed, how many requests failed, for how long"),
    ("Detection", "alert, user report, or chance; minutes from the first sign to the first human"),
    ("Owners", "who leads, who decides on the change"),
    ("Follow-ups", "what else must change, each with an owner and a date"),
)


def md(report: Mapping[str, Any]) -> str:
    """At most 65,536 characters and bytes; what does not fit is left out from the end, and said."""
    report = with_short_places(report)
    parts = [_verdict(report), _facts(report), _evidence(report), _actions(report), _blanks()]
    sections: list[tuple[str, Callable[[], str]]] = [
        ("findings", lambda: _findings(report, room)),
        ("causal chain", lambda: _chain(report)),
        ("ruled out and not checked", lambda: _ruled_out(report)),
        ("timeline", lambda: _timeline(report)),
        ("launches", lambda: _launches(report)),
        ("configuration", lambda: _configuration(report)),
        ("coverage", lambda: _coverage(report)),
    ]
    foot = f"\n<sub>logscope {escape(report.get('logscope', ''))}, {escape(report.get('schema', ''))}"
    foot += f", {words.masked(report)}</sub>\n" if words.masked(report) else "</sub>\n"
    room = SIZE_MAX - ROOM - _size("\n".join(parts)) - _size(foot)
    left = []
    for name, made in sections:
        section = made()
        if section and _size(section) + 1 <= room:
            parts.append(section)
            room -= _size(section) + 1
        elif section:
            left.append(name)
    if left:
        parts.append(f"Left out, as the comment would be too long: {', '.join(left)}. The full report has them.\n")
    return "\n".join(parts) + foot


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _verdict(report: Mapping[str, Any]) -> str:
    verdict = report.get("verdict", {})
    heading = escape(words.capital(words.headline(report)))
    sentence = escape(words.clip(words.prose(verdict.get("sentence", "")), 2000))
    confidence = words.prose(verdict.get("confidence", ""))
    return (
        f"## {heading}: {escape(words.cause_title(verdict))}\n\n"
        f"**{sentence}**\n\n"
        f"Cause {code(verdict.get('cause', ''))}, {escape(confidence)}. "
        f"**{escape(words.capital(words.direction(report)))}.** {escape(words.capital(_why(verdict)))}\n"
    )


def _why(verdict: Mapping[str, Any]) -> str:
    return words.clip(words.prose((verdict.get("fraction_range") or {}).get("why", "")), 1000)


def _facts(report: Mapping[str, Any]) -> str:
    launch = words.subject(report)
    rows = [("State", words.state(launch))] if launch else []
    if launch:
        how = (launch.get("release") or {}).get("how", "")
        rows.append(("Release", f"{words.release(launch)}{f' ({how})' if how else ''}"))
        names = ("model", "parallelism", "hardware", "start", "ready", "last_good", "end", "timezone")
        rows += [(_LABELS.get(name, name.capitalize()), launch[name]) for name in names if launch.get(name)]
    total = len(report.get("launches", ()))
    if total > 1:
        rows.append(("Launch", f"{launch.get('id', '?')} of {total}, counted from 0"))
    told = [(name, escape(words.clip(words.prose(value), 300))) for name, value in rows]
    told += [("File", escape(_file(report, one))) for one in report.get("inputs", ())[:10]]
    files = files_of(launch)
    told += [("Files", escape(words.clip(one, 500))) for one in files[:10]]
    told += [("Files", f"{len(files) - 10} more like these are in the full report")] if len(files) > 10 else []
    return table(("", ""), told)


def _file(report: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    end = "".join(f", {said}" for said in (words.end_of(report, one), *one.get("notes", ())[:FILE_NOTES]) if said)
    wrapped = "".join(f", inside {w.get('name')}" for w in one.get("wrappers", ()))
    sha = str(one.get("sha256", ""))[:12]
    path = words.clip_path(one.get("path", "-"), 200)
    return f"{path}: {words.number(one.get('bytes', 0))} bytes, sha256 {sha}…{wrapped}{end}"


def _evidence(report: Mapping[str, Any]) -> str:
    lines = report.get("verdict", {}).get("evidence") or ()
    return f"### The lines that prove it\n\n{fence(quoted(lines[:8]))}" if lines else ""


def _actions(report: Mapping[str, Any]) -> str:
    verdict = report.get("verdict", {})
    rows = []
    for number, action in enumerate((verdict.get("actions") or ())[:5], start=1):
        rows.append(f"{number}. **{escape(words.clip(words.prose(action.get('do', '')), 500))}**")
        for key, label in (("why", "Why"), ("effect", "Effect"), ("verify", "Verify"), ("risk", "Risk")):
            if action.get(key):
                rows.append(f"   - {label}: {escape(words.clip(words.prose(action[key]), 1000))}")
    command = verdict.get("command")
    block = f"\n{fence(words.clip(words.printable(command), 6000), 'sh')}" if command else ""
    known = "".join(f"\n{_upstream(one)}" for one in (verdict.get("upstream") or ())[:5])
    body = "\n".join(rows) + ("\n" if rows else "") + block + known
    return f"### What to do next\n\n{body}" if body.strip() else ""


def _upstream(one: Mapping[str, Any]) -> str:
    fixed = f", fixed in {words.prose(one['fixed_in'])}" if one.get("fixed_in") else ""
    reference = words.prose(one.get("reference", ""))
    shown = reference if re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", reference) else escape(reference)
    return f"Known upstream: {shown}{escape(fixed)}. {escape(words.capital(words.prose(one.get('why', ''))))}\n"


def _blanks() -> str:
    return "".join(f"### {name}\n\n_To be filled in: {what}._\n\n" for name, what in BLANKS)


def _findings(report: Mapping[str, Any], room: int) -> str:
    """As many findings as half of the room holds, the others counted; nothing when not even one fits."""
    findings = ordered_findings(report)
    for most in (20, 10, 5, 2, 1):
        shown = [finding_section(one) for one in findings[:most]]
        left = len(findings) - len(shown)
        more = f"\n{left} more are in the full report; these matter most.\n" if left else ""
        section = details(f"Findings ({len(findings)})", "\n".join(shown) + more) if findings else ""
        if _size(section) <= room / 2:
            return section
    return section


def _chain(report: Mapping[str, Any]) -> str:
    chain = report.get("verdict", {}).get("chain") or ()
    rows = [f"{n}. {escape(words.clip(words.prose(step.get('says', '')), 1000))}" for n, step in enumerate(chain, 1)]
    return folded("Causal chain, root first", rows)


def _ruled_out(report: Mapping[str, Any]) -> str:
    verdict = report.get("verdict", {})
    rows = [
        f"- Ruled out {_reading(one.get('cause', ''))}: {escape(words.clip(words.prose(one.get('why', '')), 1000))}"
        for one in verdict.get("ruled_out") or ()
    ]
    rows += [f"- Missing: {escape(words.clip(words.prose(one), 1000))}" for one in verdict.get("missing") or ()]
    rows += [
        f"- Not checked {code(rule)}{f' ({count} times)' if count > 1 else ''}: {escape(words.clip(why, 500))}"
        for rule, why, count in words.not_checked(report)
    ]
    return folded("Ruled out, missing, not checked", rows, most=60)


def _reading(cause: object) -> str:
    """The id of a cause as code; a reading in words, which some would hold for the cause, as prose."""
    return f"“{escape(cause)}”" if " " in str(cause) else code(cause)


def _timeline(report: Mapping[str, Any]) -> str:
    launch = words.subject(report)
    events = grouped_events(launch)
    rows = [
        (
            escape(event["time"]),
            escape(event["ranks"]),
            escape(words.clip(words.prose(event.get("text", "")), 300)),
            code(words.place(event.get("line"))) if event.get("line") else "",
        )
        for event in _picked(events, 60)
    ]
    more = f"\n{len(events) - 60} more like these are in the full report.\n" if len(events) > 60 else ""
    zone = words.prose(launch.get("timezone", "unstated"))
    body = table(("Time", "Rank", "What", "Line"), rows) + more
    return details(f"Timeline (time zone: {zone})", body) if rows else ""


def _picked(events: Sequence[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    """All events when they fit, else errors before warnings before notes, in the order of the log."""
    if len(events) <= most:
        return list(events)
    weight = {"error": 0, "warning": 1}
    ranked = sorted(range(len(events)), key=lambda i: (weight.get(events[i].get("severity", ""), 2), i))
    return [events[i] for i in sorted(ranked[:most])]


def _launches(report: Mapping[str, Any]) -> str:
    launches = report.get("launches", ())
    if len(launches) < 2:
        return ""
    rows = [
        (
            f"{one.get('id')}",
            escape(words.state(one)),
            escape(words.release(one)),
            escape(words.prose(one.get("start", ""))),
            escape(words.prose(one.get("end", ""))),
            code(words.place((one.get("lines") or {}).get("first"))),
        )
        for one in launches[:40]
    ]
    more = f"\n{len(launches) - 40} more launches are in the full report.\n" if len(launches) > 40 else ""
    return details(f"Launches ({len(launches)})", table(("", "State", "Release", "Start", "End", "From"), rows) + more)


def _configuration(report: Mapping[str, Any]) -> str:
    known = words.subject(report).get("configuration") or ()
    entries = [entry for entry in known if entry.get("origin") not in ("default", "unknown")]
    unknown = sum(entry.get("origin") == "unknown" for entry in known)
    rows = [
        (
            code(entry.get("name", "")),
            code(words.clip(words.prose(entry.get("value", "")), 200)),
            escape(words.prose(entry.get("origin", ""))),
            escape(words.clip(words.prose(entry.get("why", "")), 300)),
        )
        for entry in entries[:60]
    ]
    more = f"\n{len(entries) - 60} more are in the full report.\n" if len(entries) > 60 else ""
    more += f"\nOf {unknown} more the log does not tell whether they were given.\n" if unknown else ""
    body = table(("Argument", "Value", "Origin", "Why"), rows) + more
    return details("Configuration that was given or changed", body) if rows else ""


def _coverage(report: Mapping[str, Any]) -> str:
    coverage = report.get("coverage", {})
    rows = [f"- {words.coverage(report)}"]
    for entry in coverage.get("unread_templates", ())[:20]:
        count, template = entry.get("count", 0), words.clip(str(entry.get("template", "")), 300)
        rows.append(f"- Unread {words.number(count)} time{'' if count == 1 else 's'}: {code(template)}")
    rows += [
        f"- New key {code(entry.get('key', ''))} in {code(entry.get('family', ''))} lines"
        for entry in coverage.get("unknown_keys", ())[:20]
    ]
    return folded("Coverage: what was read, and what was not", rows)
