"""Diagnoses of all labelled logs: the cause, the way of the fraction, the quoted lines, no false alarm."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import logscope

ACQUITTALS = ("healthy", "slow_by_design", "stopped_on_request", "not_enough_evidence", "peer_lost")


@functools.cache
def report_of(log: Path) -> Any:
    return logscope.analyze(logscope.open_log(log)).data


def wrong(one: Any) -> Iterator[str]:
    """What is wrong with the report of one incident."""
    report = report_of(one.log)
    verdict, label = report["verdict"], one.label
    if verdict["cause"] not in one.accepted:
        yield f"{verdict['cause']} ({verdict['confidence']}) for {label['cause']}"
    if label["fraction"] not in ("depends", verdict["fraction"]):
        yield f"fraction {verdict['fraction']} for {label['fraction']}"
    yield from (f"not quoted: {part}" for part in label["decisive"] if not quoted(report, part))
    if label["cause"] in ACQUITTALS and not label["contradiction"]:
        yield from (f"alarm {f['rule']}" for f in report["findings"] if f["kind"] == "impossible")
    if label["contradiction"] and not any("observed" in f and "computed" in f for f in report["findings"]):
        yield "the contradiction was missed"


def quoted(report: Any, part: str) -> bool:
    """Whether a line of the verdict's or of a root finding's evidence holds a text."""
    lines = [line["text"] for line in report["verdict"]["evidence"]]
    lines += [line["text"] for f in report["findings"] if f.get("role") == "root" for line in f["evidence"]]
    return any(part in line for line in lines)


def missed(incidents: Sequence[Any]) -> dict[str, list[str]]:
    return {one.name: found for one in incidents if (found := list(wrong(one)))}


def test_every_incident_of_the_repository_is_diagnosed_as_labelled(incidents: list[Any]) -> None:
    assert missed(incidents) == {}


def test_the_labelled_cases_score_as_promised(cases: list[Any]) -> None:
    found = missed(cases)
    count = len(cases)
    causes = [
        name for name, why in found.items() if any(" for " in one and not one.startswith("fraction") for one in why)
    ]
    fractions = [name for name, why in found.items() if any(one.startswith("fraction") for one in why)]
    quotes = [name for name, why in found.items() if any(one.startswith("not quoted") for one in why)]
    other = [name for name, why in found.items() if any(one.startswith(("alarm", "the contr")) for one in why)]
    assert len(causes) <= 0.05 * count, causes
    assert len(fractions) <= 0.03 * count, fractions
    assert len(quotes) <= 0.05 * count, quotes
    assert other == []


def test_nothing_is_wrong_and_certain(cases: list[Any], incidents: list[Any]) -> None:
    found = missed([*cases, *incidents])
    assert not [why for whole in found.values() for why in whole if "(certain)" in why]


def test_without_its_decisive_lines_an_accusation_rests_on_others_or_is_weaker(
    incidents: list[Any], cases: list[Any], reported: Callable[[bytes], dict[str, Any]]
) -> None:
    strength = {"certain": 3, "likely": 2, "possible": 1}
    asked, others = 0, []
    for one in [*incidents, *cases]:
        if one.label["cause"] in ACQUITTALS:
            continue
        text = one.log.read_bytes().decode("utf-8", "surrogateescape")
        kept = [line for line in text.split("\n") if not any(part in line for part in one.label["decisive"])]
        if not any(line.strip() for line in kept):
            continue
        asked += 1
        before = report_of(one.log)["verdict"]
        after = reported("\n".join(kept).encode("utf-8", "surrogateescape"))["verdict"]
        weaker = strength[after["confidence"]] < strength[before["confidence"]]
        rests = bool(after["evidence"]) and after["cause"] == before["cause"]
        if not (rests or weaker or after["cause"] in ACQUITTALS):
            # What is left may show the consequence alone, and it is that which is then told: never as certain.
            assert after["confidence"] != "certain", (one.name, after["cause"])
            others.append(f"{one.name}: {before['cause']} → {after['cause']}")
    assert len(others) <= 0.05 * asked, others
