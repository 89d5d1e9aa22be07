"""JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from logscope.render.junit import junit


def suite_of(report: dict) -> ElementTree.Element:
    (suite,) = ElementTree.fromstring(junit(report).encode())
    return suite


def test_it_is_well_formed_and_the_counts_are_true(any_report: dict) -> None:
    suite = suite_of(any_report)
    assert suite.get("tests") == str(len(suite.findall("testcase")))
    assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))


def test_the_verdict_a_finding_a_held_rule_and_an_unchecked_one_are_cases(kept_report: dict) -> None:
    suite = suite_of(kept_report)
    cases = 1 + len(kept_report["findings"]) + len(kept_report["held"]) + len(kept_report["not_checked"])
    assert suite.get("tests") == str(cases)
    assert suite.get("skipped") == str(len(kept_report["not_checked"]))


def test_consequences_and_noise_do_not_fail(kept_report: dict) -> None:
    failing = {case.get("classname") for case in suite_of(kept_report) if case.find("failure") is not None}
    roles = {f"logscope.{finding['rule']}": finding["role"] for finding in kept_report["findings"]}
    assert not {roles.get(name) for name in failing} & {"cascade", "noise"}
    assert "logscope.verdict" in failing


def test_a_healthy_log_has_no_failure(empty_report: dict) -> None:
    empty_report["verdict"]["cause"] = "healthy"
    assert suite_of(empty_report).get("failures") == "0"
