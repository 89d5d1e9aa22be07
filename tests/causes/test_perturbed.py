"""The same incident told otherwise keeps its diagnosis: cause, way of the fraction, confidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.told import TOLD, Told, told_otherwise

_KEPT = ("cause", "fraction", "confidence")
_AS_IT_IS: dict[Path, list[str]] = {}  # what is told of each log as it is


def _told(report: dict[str, Any]) -> list[str]:
    return [report["verdict"][name] for name in _KEPT]


def changed(incidents: Sequence[Any], told: Told, reported: Callable[[bytes], dict[str, Any]]) -> list[str]:
    """The incidents whose diagnosis is another one when they are told otherwise."""
    found = []
    for one in incidents:
        log = one.log.read_bytes()
        new = told_otherwise(log, told)
        if new is None:
            continue
        if one.log not in _AS_IT_IS:
            _AS_IT_IS[one.log] = _told(reported(log))
        before, after = _AS_IT_IS[one.log], _told(reported(new))
        if before != after:
            found.append(f"{one.name}: {' '.join(before)} → {' '.join(after)}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("told", TOLD, ids=lambda told: str(told.__name__))
def test_incidents_told_otherwise_keep_their_diagnosis(
    told: Told, incidents: list[Any], reported: Callable[[bytes], dict[str, Any]]
) -> None:
    assert changed(incidents, told, reported) == []


@pytest.mark.slow
@pytest.mark.parametrize("told", TOLD, ids=lambda told: str(told.__name__))
def test_labelled_cases_told_otherwise_keep_their_diagnosis(
    told: Told, cases: list[Any], reported: Callable[[bytes], dict[str, Any]]
) -> None:
    assert changed(cases, told, reported) == []
