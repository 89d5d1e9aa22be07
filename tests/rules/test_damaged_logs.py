"""Whatever is lost, doubled or garbled in a log, a rule says what it lacks and never breaks."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import logscope
from logscope.check import check

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures/rules"
LOGS = sorted(FIXTURES.glob("*/*.log"))
ODD = ("0", "-1", "99999999999", "0.00", "nan", "")


def damaged(rng: random.Random) -> list[str]:
    """Lines of one fixture, or of two, with some lost, out of order, or with other numbers."""
    lines = rng.choice(LOGS).read_text(encoding="utf-8").splitlines()
    if rng.random() < 0.4:
        place = rng.randrange(len(lines) + 1)
        lines[place:place] = rng.choice(LOGS).read_text(encoding="utf-8").splitlines()
    if rng.random() < 0.5:
        lines = [line for line in lines if rng.random() < 0.7]
    if rng.random() < 0.5:
        lines = [re.sub(r"\d+(\.\d+)?", lambda found: _other(found[0], rng), line) for line in lines]
    if rng.random() < 0.1:
        rng.shuffle(lines)
    return lines


def _other(number: str, rng: random.Random) -> str:
    return rng.choice(ODD) if rng.random() < 0.1 else number


@pytest.mark.parametrize("seed", range(8))
def test_no_rule_breaks_on_a_damaged_log(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "damaged.log"
    for _ in range(12):
        path.write_text("\n".join(damaged(rng)) + "\n", encoding="utf-8")
        found = check(logscope.open_log(path).launches)
        assert [f"{n.rule}: {n.why}" for n in found.not_checked if n.why.startswith("logscope failed")] == []
