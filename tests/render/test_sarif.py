"""SARIF 2.1.0, held against the official schema."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest

from logscope.render.sarif import sarif

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8")
)


def run_of(report: dict) -> dict:
    (run,) = json.loads(sarif(report))["runs"]
    return run


def test_it_validates_against_the_official_schema(any_report: dict) -> None:
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(
        json.loads(sarif(any_report))
    )


def test_the_verdict_comes_first_and_then_every_finding(kept_report: dict) -> None:
    results = run_of(kept_report)["results"]
    assert results[0]["ruleId"] == f"cause/{kept_report['verdict']['cause']}"
    assert sorted(r["ruleId"] for r in results[1:]) == sorted(f["rule"] for f in kept_report["findings"])


def test_rule_indexes_point_at_their_rules(kept_report: dict) -> None:
    run = run_of(kept_report)
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert len({rule["id"] for rule in rules}) == len(rules)


def test_fingerprints_hold_when_numbers_and_lines_change(kept_report: dict) -> None:
    other = copy.deepcopy(kept_report)
    for finding in other["findings"]:
        finding["message"] = "measured 12.5 this time"
        finding["evidence"] = [{**one, "line": one["line"] + 1000} for one in finding.get("evidence", ())]
    one, two = (
        [result["partialFingerprints"] for result in run_of(report)["results"]] for report in (kept_report, other)
    )
    assert one == two


def test_fingerprints_of_different_rules_differ(kept_report: dict) -> None:
    prints = [next(iter(r["partialFingerprints"].values())) for r in run_of(kept_report)["results"]]
    assert len(set(prints)) == len(prints)


def test_a_healthy_log_passes(empty_report: dict) -> None:
    empty_report["verdict"]["cause"] = "healthy"
    result = run_of(empty_report)["results"][0]
    assert (result["kind"], result["level"]) == ("pass", "none")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b.log", "a%20b.log"),
        ("/var/log/x.log", "file:///var/log/x.log"),
        ("-", "stdin"),
        ("bundle.zip!/node0.log", "bundle.zip%21/node0.log"),
        ("c:d#e?f.log", "c%3Ad%23e%3Ff.log"),
        ("bad\udcff.log", "bad%FF.log"),
    ],
)
def test_paths_become_uris(empty_report: dict, path: str, uri: str) -> None:
    empty_report["inputs"] = [
        {"path": path, "bytes": 1, "lines": 1, "sha256": "0" * 64, "wrappers": [], "complete": True}
    ]
    assert run_of(empty_report)["artifacts"][0]["location"]["uri"] == uri


def test_brackets_and_braces_of_a_message_are_no_links_or_placeholders(empty_report: dict) -> None:
    empty_report["verdict"]["sentence"] = "see [here](1) and {0}"
    assert run_of(empty_report)["results"][0]["message"]["text"].startswith(r"see \[here\](1) and {{0}}.")
