"""SARIF 2.1.0: the verdict and the findings as results, for code scanning views and result stores."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from logscope.render import _wording as words
from logscope.render._order import ordered_findings

SUFFIX = ".sarif"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MESSAGE_MAX = 10_000
_NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?|0x[0-9a-f]+", re.IGNORECASE)


def sarif(report: Mapping[str, Any]) -> str:
    """One run; result 0 is the verdict. A fingerprint holds over restarts: it knows the rule, not the numbers."""
    rules: dict[str, dict[str, Any]] = {}
    results = [_verdict(report, rules), *(_result(finding, rules) for finding in ordered_findings(report))]
    indexes = {name: number for number, name in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = indexes[result["ruleId"]]
    run = {
        "tool": {
            "driver": {
                "name": "logscope",
                "version": words.prose(report.get("logscope", "0")),
                "rules": list(rules.values()),
            }
        },
        "automationDetails": {"id": "logscope/analyze/"},
        "artifacts": [_artifact(one) for one in report.get("inputs", ())],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {"coverage": words.coverage(report), "fraction": words.direction(report)},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _verdict(report: Mapping[str, Any], rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    verdict = report.get("verdict", {})
    cause = words.prose(verdict.get("cause", "not_enough_evidence"))
    rules.setdefault(f"cause/{cause}", _rule(f"cause/{cause}", words.cause_title(verdict)))
    well = cause in words.NO_FAULT
    actions = "".join(f" {n}. {words.prose(a.get('do', ''))}." for n, a in enumerate(verdict.get("actions", ()), 1))
    sentence = words.prose(verdict.get("sentence", "")).rstrip(".")
    return {
        "ruleId": f"cause/{cause}",
        "kind": "pass" if well else "fail",
        "level": "none" if well else "error",
        "message": _message(f"{sentence}. {words.direction(report)}.{actions}"),
        "locations": _locations(verdict.get("evidence", ())),
        "partialFingerprints": {"logscopeCause/v1": _digest(cause, words.subject(report).get("state", ""))},
        "properties": {
            "confidence": words.prose(verdict.get("confidence", "")),
            "fraction": words.prose(verdict.get("fraction", "")),
        },
    }


def _result(finding: Mapping[str, Any], rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    rule = words.prose(finding.get("rule") or "unnamed")
    rules.setdefault(rule, _rule(rule, words.prose(finding.get("title", "")) or rule))
    numbers = words.numbers_of(finding)
    text = f"{words.prose(finding.get('message', ''))}{f' [{numbers}]' if numbers else ''}"
    result = {
        "ruleId": rule,
        "kind": "fail",
        "level": finding.get("severity", "note"),
        "message": _message(text),
        "locations": _locations(finding.get("evidence", ())),
        "partialFingerprints": {"logscopeFinding/v1": _fingerprint(finding)},
        "properties": {
            "kind": words.prose(finding.get("kind", "")),
            "role": words.prose(finding.get("role", "")),
            "launches": list(finding.get("launches", ())),
            "rank": words.prose(finding.get("rank", "")),
        },
    }
    related = [
        {**_location(fact["line"]), "message": {"text": f"{words.prose(fact.get('name', ''))} = {_value(fact)}"}}
        for fact in finding.get("conflict") or ()
        if fact.get("line")
    ]
    return {**result, "relatedLocations": related} if related else result


def _value(fact: Mapping[str, Any]) -> str:
    return words.with_unit(fact.get("value", ""), fact.get("unit"))


def _rule(name: str, title: str) -> dict[str, Any]:
    return {"id": name, "shortDescription": _message(title or name)}


def _message(text: str) -> dict[str, str]:
    """A message without the placeholders and links that SARIF would read into brackets and braces."""
    escaped = re.sub(r"([\\\[\]])", r"\\\1", text).replace("{", "{{").replace("}", "}}")
    return {"text": words.clip(escaped, MESSAGE_MAX)}


def _locations(evidence: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [_location(line, text=line.get("text")) for line in list(evidence)[:10]]


def _location(line: Mapping[str, Any], *, text: object = None) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(1, int(line.get("line", 1)))}
    if text is not None:
        region["snippet"] = {"text": words.printable(text)}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(line.get("path", "-"))}, "region": region}}


def _artifact(one: Mapping[str, Any]) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": {"uri": _uri(one.get("path", "-"))}, "length": int(one.get("bytes", -1))}
    return {**artifact, "hashes": {"sha-256": str(one["sha256"])}} if one.get("sha256") else artifact


def _uri(path: object) -> str:
    """A relative reference, or a file URI for an absolute path; `-` is called stdin."""
    try:
        text = str(path).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a pair, which no file name holds and a report may
        text = str(path).encode("utf-8", "replace")
    if text == b"-":
        return "stdin"
    return ("file://" if text.startswith(b"/") else "") + quote(text, safe="/")


def _fingerprint(finding: Mapping[str, Any]) -> str:
    """The same for the same defect in another log: rule, role and title count, numbers, ranks and lines do not."""
    title = _NUMBER.sub("#", str(finding.get("title", "")))
    return _digest(str(finding.get("rule", "")), str(finding.get("role", "")), title)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _notifications(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What could not be checked, one note a rule and reason."""
    return [
        {"level": "note", "message": _message(f"{rule} was not checked{f' ({n} times)' if n > 1 else ''}: {why}")}
        for rule, why, n in words.not_checked(report)
    ]
