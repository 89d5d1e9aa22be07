"""What the tests of diagnoses share: the labelled incidents, and a verdict of a text."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import logscope

INCIDENTS = Path(__file__).parents[1] / "fixtures/incidents"


@dataclass(frozen=True, slots=True)
class Incident:
    """A log and its label (`case.toml`: the schema of the labelled cases, and `looks_like`)."""

    name: str
    log: Path
    label: dict[str, Any]

    @property
    def accepted(self) -> set[str]:
        return {self.label["cause"], *self.label["also_accept"]}


def incidents_of(folder: Path) -> list[Incident]:
    """Every labelled log of a folder."""
    found = sorted(path.parent for path in folder.glob("*/case.toml"))
    return [Incident(one.name, one / "log.txt", tomllib.loads((one / "case.toml").read_text())) for one in found]


@pytest.fixture(scope="session")
def incidents() -> list[Incident]:
    """The incidents of this repository."""
    return incidents_of(INCIDENTS)


@pytest.fixture(scope="session")
def cases(shared: Path) -> list[Incident]:
    """The labelled cases beside the checkout."""
    return incidents_of(shared / "cases")


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], dict[str, Any]]:
    """The report of a text."""
    path = tmp_path_factory.mktemp("incident") / "server.log"

    def report(text: bytes) -> dict[str, Any]:
        path.write_bytes(text)
        return dict(logscope.analyze(logscope.open_log(path)).data)

    return report
