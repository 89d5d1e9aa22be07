"""JUnit XML: one test case a rule that was judged, and one for the verdict, as CI systems show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from logscope.render import _wording as words
from logscope.render._order import ordered_findings

SUFFIX = ".junit.xml"
# A long log holds many verdicts of one kind; what is beyond is counted in a property.
CASES_MAX = 2000


def junit(report: Mapping[str, Any]) -> str:
    """A suite whose failures are errors and warnings that follow from no other; what was not checked is skipped."""
    suite = ElementTree.Element("testsuite", name="logscope")
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(report):
        ElementTree.SubElement(properties, "property", name=name, value=value)
    _verdict(suite, report)
    for finding in ordered_findings(report)[:CASES_MAX]:
        _finding(suite, finding)
    for held in report.get("held", ())[:CASES_MAX]:
        _case(suite, held.get("rule"), _about(held))
    for skipped in report.get("not_checked", ())[:CASES_MAX]:
        case = _case(suite, skipped.get("rule"), _about(skipped))
        ElementTree.SubElement(case, "skipped", message=words.prose(skipped.get("why", "")))
    cases = suite.findall("testcase")
    counts = {
        "tests": str(len(cases)),
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": "0",
        "skipped": str(len(suite.findall("testcase/skipped"))),
    }
    suite.attrib.update(counts)
    suites = ElementTree.Element("testsuites", {"name": "logscope", **counts})
    suites.append(suite)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _properties(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    verdict = report.get("verdict", {})
    left = {name: max(0, len(report.get(name, ())) - CASES_MAX) for name in ("findings", "held", "not_checked")}
    return [
        ("logscope", words.prose(report.get("logscope", ""))),
        ("cause", words.prose(verdict.get("cause", ""))),
        ("confidence", words.prose(verdict.get("confidence", ""))),
        ("fraction", words.prose(verdict.get("fraction", ""))),
        ("coverage", words.coverage(report)),
        *((f"{name} not shown", str(count)) for name, count in left.items() if count),
    ]


def _verdict(suite: ElementTree.Element, report: Mapping[str, Any]) -> None:
    verdict = report.get("verdict", {})
    case = _case(suite, "verdict", words.prose(verdict.get("cause", "")))
    if verdict.get("cause") not in words.NO_FAULT:
        sentence = words.prose(verdict.get("sentence", ""))
        failure = ElementTree.SubElement(case, "failure", type=words.prose(verdict.get("cause", "")), message=sentence)
        failure.text = "\n".join([words.direction(report), *_quoted(verdict)])


def _finding(suite: ElementTree.Element, finding: Mapping[str, Any]) -> None:
    about = _about({"rank": finding.get("rank"), "launch": (finding.get("launches") or [None])[0]})
    case = _case(suite, finding.get("rule"), f"{about} {words.prose(finding.get('title', ''))} #{finding.get('id')}")
    message = words.prose(finding.get("message", ""))
    details = "\n".join(filter(None, [words.numbers_of(finding), *_quoted(finding)]))
    if finding.get("severity") in ("error", "warning") and finding.get("role") not in ("cascade", "noise"):
        ElementTree.SubElement(case, "failure", type=str(finding.get("severity")), message=message).text = details
    else:
        ElementTree.SubElement(case, "system-out").text = f"{message}\n{details}"


def _quoted(holder: Mapping[str, Any]) -> list[str]:
    return [f"{words.place(e)}: {words.printable(e.get('text', ''))}" for e in holder.get("evidence") or ()]


def _about(entry: Mapping[str, Any]) -> str:
    launch, rank = entry.get("launch"), entry.get("rank")
    parts = [f"launch {launch}" if launch is not None else "", words.prose(rank) if rank else ""]
    return " ".join(part for part in parts if part) or "log"


def _case(suite: ElementTree.Element, rule: object, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=f"logscope.{words.prose(rule)}", name=name)
