"""Collectives that timed out, and the exceptions of other ranks that fell into the wait.

The watchdog of torch prints a stamp of its own, without a year, and often above what the ranks printed minutes before:
its line does not tell its place, its stamp and the length of the wait do.

Source: torch `c10/util/Logging.cpp` (stamp), `c10d/ProcessGroupNCCL.cpp`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from logscope.facts.failures import Failure

_STAMP = re.compile(r"(?P<month>\d{1,2})(?P<day>\d\d) (?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)")
_SLACK_S = 60.0  # the rank that fell out may have done so a little before the others began to wait


def causes_first(found: Sequence[Failure]) -> list[Failure]:
    """Failures in their order, but a collective without a clock of the log behind the exceptions that fell into its
    wait.
    """
    plain = [failure for failure in found if failure.chain and not failure.marks and failure.time is not None]
    waited = [one for one in found if any(_fell_into(one, other) for other in plain)]
    return [*(one for one in found if one not in waited), *waited]


def _fell_into(wait: Failure, other: Failure) -> bool:
    row = wait.marks.get("collective_failure")
    if row is None or wait.time is not None or other.time is None or not row.get("ran_ms"):
        return False
    end = _stamp(str(row.get("printed_time", "")), other.time)
    return end is not None and end - row["ran_ms"] / 1000 - _SLACK_S <= other.time < end


def _stamp(printed: str, near: float) -> float | None:
    """The moment of a stamp without a year: in the year of another moment; of its day where that has no date."""
    found = _STAMP.match(printed)
    if found is None:
        return None
    day = datetime.fromtimestamp(near, UTC)
    number = {name: int(text) for name, text in found.groupdict().items()}
    if day.year > 1970:
        try:
            day = day.replace(month=number["month"], day=number["day"])
        except ValueError:  # no stamp of a calendar
            return None
    return day.replace(hour=number["hour"], minute=number["minute"], second=number["second"], microsecond=0).timestamp()
