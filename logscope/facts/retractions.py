"""Retractions of a launch, each once: every rank repeats the line, so one event is one second and one pair of ratios.

Source: `Scheduler.update_running_batch`; both wordings (`Decode out of memory happened` up to 0.4.6.post5).
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.facts.phases import time_of
from logscope.launch import Launch, Row
from logscope.quantity import LineRef


@dataclass(frozen=True, slots=True)
class Pressure:
    """How often, how many, over which time."""

    events: int
    requests: int
    span_s: float
    lines: tuple[LineRef, ...]
    before: tuple[float, ...]  # new-token ratios before each event
    after: tuple[float, ...]

    @property
    def per_minute(self) -> float:
        """Events a minute over the time between the first and the last, of at least one minute."""
        return self.events / max(self.span_s / 60, 1.0)


def distinct(launch: Launch) -> list[Row]:
    """One row an event, in order."""
    seen: dict[tuple[object, ...], Row] = {}
    for row in launch.rows("retraction"):
        if row.get("retracted_requests") is None:
            continue
        group = row.rank.split(" ")[0] if row.rank.startswith("DP") else ""
        key = (
            group,
            time_of(row),
            row["retracted_requests"],
            row.get("new_token_ratio_before"),
            row.get("new_token_ratio_after"),
        )
        seen.setdefault(key, row)
    return list(seen.values())


def pressure(launch: Launch) -> Pressure:
    """All distinct retractions; raises FactMissing when there is none."""
    rows = distinct(launch)
    if not rows:
        raise FactMissing("no request was retracted")
    times = [time for row in rows if (time := time_of(row)) is not None]
    return Pressure(
        events=sum(row.stands_for for row in rows),
        requests=sum(row["retracted_requests"] * row.stands_for for row in rows),
        span_s=max(times) - min(times) if times else 0.0,
        lines=tuple(row.ref for row in rows),
        before=tuple(row["new_token_ratio_before"] for row in rows if row.get("new_token_ratio_before") is not None),
        after=tuple(row["new_token_ratio_after"] for row in rows if row.get("new_token_ratio_after") is not None),
    )
