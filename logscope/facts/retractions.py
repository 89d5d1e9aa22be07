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
    found = [told for name in launch.ranks for told in _filled(launch.rank(name))]
    if not found:
        raise FactMissing("no decode line before a retraction prints a pool's usage")
    return max(found, key=lambda told: told[0])


def _filled(rank: Rank) -> Iterator[tuple[float, LineRef]]:
    """The pool at each retraction of one rank; nothing where it prints no decode lines, or in several inputs."""
    retracted = [row for row in rank.launch.rows("retraction") if row.rank == rank.name]
    try:
        shares, decode, prefill = batches.usage(rank), *(between.lines(rank, f"{kind}_batch") for kind in _KINDS)
    except FactMissing:
        return
    interval = rank.launch.arguments.get("decode_log_interval") or _INTERVAL
    steps = float(interval) * settings.size(rank.launch, "speculative_num_draft_tokens")
    for row in retracted:
        place = int(np.searchsorted(decode, row.ref.line)) - 1
        if place < 0 or not np.isfinite(shares[place]):
            continue
        before = batches.row(rank, "decode_batch", place)
        since = range(*np.searchsorted(prefill, (decode[place], row.ref.line)))
        came = [batches.row(rank, "prefill_batch", one) for one in since]
        added = sum(float(one.get(name) or 0) for one in came for name in ("new_tokens", "cached_tokens"))
        added += (float(before.get("running_requests") or 0) + len(came)) * steps
        used = float(before.get("used_tokens") or 0)
        yield float(shares[place]) * (1 + added / used if used else 1), before.ref
