"""Every rule is a unit: it says what it is, it fires on one log, and it is silent on the log beside it."""

from __future__ import annotations

import inspect
import json
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import logscope
from logscope.check import Verdicts, check, code_of, title_of
from logscope.discover import units
from logscope.finding import Finding

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/fixtures/rules"
RULES = {code_of(name): module for name, module in units("logscope.rules").items()}
FIRING = sorted(FIXTURES.glob("*/fires*.log"))
SILENT = sorted(FIXTURES.glob("*/silent*.log"))
EXEMPT = sorted(FIXTURES.glob("*/exempt*.log"))

# Rules that say another thing of the very lines that a rule needs to fire: a refusal is what its advice is judged by.
COMPANIONS = {
    "CRA117": {"POL101"},
    "MEM103": {"MEM102"},
    "MEM112": {"MEM102"},
    "MEM114": {"MEM102", "MEM103"},
    "MEM120": {"MEM102", "MEM103"},
    "POL101": {"CRA117"},
    "POL102": {"CRA117"},
    "RNK114": {"RNK102"},
}


def name_of(path: Path) -> str:
    return str(path.relative_to(FIXTURES))


@cache
def verdicts(path: Path) -> Verdicts:
    return check(logscope.open_log(path).launches)


def broken(found: Verdicts) -> list[str]:
    """Rules that raised what no rule may raise."""
    return [f"{n.rule}: {n.why}" for n in found.not_checked if n.why.startswith("logscope failed")]


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_says_whom_it_judges_and_how_strongly(rule: ModuleType) -> None:
    assert rule.KIND in ("impossible", "mismatch", "smell", "signature")
    assert rule.SEVERITY in ("error", "warning", "note")
    (subject,) = inspect.signature(rule.check).parameters.values()
    wanted = {"rank": "Rank", "launch": "Launch", "launches": "Sequence[Launch]"}
    assert subject.annotation == wanted[subject.name]
    assert not title_of(rule).endswith(".")


@pytest.mark.parametrize("code", RULES)
def test_a_rule_has_a_log_that_fires_and_one_at_the_edge_that_does_not(code: str) -> None:
    folder = FIXTURES / code.lower()
    assert list(folder.glob("fires*.log")), f"{folder} has no fires.log"
    assert list(folder.glob("silent*.log")), f"{folder} has no silent.log"


def test_no_log_is_left_of_a_rule_that_is_gone() -> None:
    assert {folder.name.upper() for folder in FIXTURES.iterdir()} == set(RULES)


@pytest.mark.parametrize("path", FIRING, ids=name_of)
def test_a_firing_log_makes_this_rule_fire_and_no_other(path: Path) -> None:
    code = path.parent.name.upper()
    found = verdicts(path)
    assert broken(found) == []
    rules = {finding.rule for finding in found.findings}
    assert code in rules, [n.why for n in found.not_checked if n.rule == code]
    assert rules <= {code} | COMPANIONS.get(code, set())
    for finding in found.findings:
        if finding.rule == code:
            complete(finding, len(path.read_text(encoding="utf-8").splitlines()))


def complete(finding: Finding, lines: int) -> None:
    """What every finding must carry."""
    assert finding.message
    assert finding.message.rstrip().endswith((".", ":"))
    assert finding.evidence
    assert all(1 <= ref.line <= lines for ref in finding.evidence)
    numbers = (finding.observed, finding.computed, finding.gap)
    assert all(numbers) or not any(numbers), "observed, computed and gap come together"
    if finding.observed and finding.computed and finding.gap:
        assert finding.computed.equation
        assert finding.gap.value >= 0
        assert finding.kind not in ("impossible", "mismatch") or finding.gap.value > finding.gap.rounding_explains


@pytest.mark.parametrize("path", SILENT, ids=name_of)
def test_a_silent_log_is_judged_and_holds(path: Path) -> None:
    code = path.parent.name.upper()
    found = verdicts(path)
    assert broken(found) == []
    assert code not in {finding.rule for finding in found.findings}
    assert code in {held.rule for held in found.held}, [n.why for n in found.not_checked if n.rule == code]


@pytest.mark.parametrize("path", EXEMPT, ids=name_of)
def test_what_explains_a_number_keeps_its_rule_silent(path: Path) -> None:
    """`exempt-<why>.log` holds the very numbers that fire, beside the mode of the server that explains them."""
    found = verdicts(path)
    assert broken(found) == []
    assert [f"{f.rule}: {f.message}" for f in found.findings if f.severity != "note"] == []
    assert path.parent.name.upper() not in {finding.rule for finding in found.findings}


@pytest.mark.parametrize("path", sorted((ROOT / "tests/fixtures/logs").glob("*.log")), ids=lambda path: path.stem)
def test_no_rule_breaks_on_a_fixture_log(path: Path) -> None:
    assert broken(verdicts(path)) == []


def test_no_rule_breaks_or_accuses_on_a_real_log(shared: Path) -> None:
    """Nothing that a real server printed excludes itself, and a server that did well gets notes at most."""
    for path in sorted((shared / "reallogs").glob("*.log")):
        found = verdicts(path)
        assert broken(found) == [], path.name
        assert [f.rule for f in found.findings if f.kind == "impossible"] == [], path.name
        told = json.loads(path.with_suffix(".truth.json").read_text(encoding="utf-8"))["expect"]
        if {"healthy", "stopped_on_request"} & set(told["cause"]):
            above = [f"{f.rule}: {f.message}" for f in found.findings if f.severity != "note"]
            assert above == [], path.name


def test_acquitted_cases_get_nothing_impossible(shared: Path) -> None:
    import tomllib

    acquittals = {"healthy", "slow_by_design", "stopped_on_request", "not_enough_evidence", "peer_lost"}
    for path in sorted((shared / "cases").glob("*/case.toml")):
        label = tomllib.loads(path.read_text(encoding="utf-8"))
        if label["cause"] in acquittals and not label.get("contradiction"):
            found = verdicts(path.with_name("log.txt"))
            assert broken(found) == [], path.parent.name
            assert [f.rule for f in found.findings if f.kind == "impossible"] == [], path.parent.name
