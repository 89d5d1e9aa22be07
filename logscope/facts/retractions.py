"""Retractions of a launch, each once: every rank repeats the line, so one event is one second and one pair of ratios.

Source: `Scheduler.update_running_batch`; both wordings (`Decode out of memory happened` up to 0.4.6.post5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches, between, settings
from logscope.facts.phases import time_of
from logscope.launch import Launch, Rank, Row
from logscope.quantity import LineRef

_KINDS = ("decode", "prefill")
_INTERVAL = 40  # decode steps between two lines, where nothing is set


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


def fullest_at(launch: Launch) -> tuple[float, LineRef]:
    """The fullest that a pool can have stood at any retraction, and the decode line that tells it; raises FactMissing
    where none does. That line is up to an interval old: what was prefilled and decoded since is added.
    """
    found = [told for name in launch.ranks for told in _fullest(launch.rank(name))]
    if not found:
        raise FactMissing("no decode line before a retraction prints a pool's usage")
    return max(found, key=lambda told: told[0])


def _fullest(rank: Rank) -> Iterator[tuple[float, LineRef]]:
    """That of one rank; nothing where it prints no decode lines, or in several inputs."""
    retracted = np.array([row.ref.line for row in rank.launch.rows("retraction") if row.rank == rank.name], np.int64)
    try:
        shares, decode, prefill = batches.usage(rank), *(between.lines(rank, f"{kind}_batch") for kind in _KINDS)
    except FactMissing:
        return
    place = np.searchsorted(decode, retracted) - 1
    tells = (place >= 0) & np.isfinite(shares[place])
    place, retracted = place[tells], retracted[tells]
    if not len(place):
        return
    since, until = np.searchsorted(prefill, decode[place]), np.searchsorted(prefill, retracted)
    prefilled = _numbers(rank, "prefill_batch", "new_tokens") + _numbers(rank, "prefill_batch", "cached_tokens")
    before = np.concatenate([[0.0], np.cumsum(prefilled)])
    interval = rank.launch.arguments.get("decode_log_interval") or _INTERVAL
    steps = float(interval) * settings.size(rank.launch, "speculative_num_draft_tokens")
    decoded = (_numbers(rank, "decode_batch", "running_requests")[place] + (until - since)) * steps
    used = _numbers(rank, "decode_batch", "used_tokens")[place]
    grown = np.divide(before[until] - before[since] + decoded, used, out=np.zeros(len(used)), where=used != 0)
    filled = shares[place] * (1 + grown)
    fullest = int(filled.argmax())
    yield float(filled[fullest]), batches.ref(rank, "decode_batch", int(place[fullest]))


def _numbers(rank: Rank, table: str, name: str) -> batches.Array:
    """A column with 0 where a line does not print it."""
    return np.nan_to_num(batches.column_or(rank, table, name, 0.0))
