"""How often something happened over time: answers by status class and retractions, in equal spans of a launch.

One series a kind: `t` is the beginning of a span in seconds since the start of the launch, `lo` and `hi` the number of
lines in it. Spans without any are left out of short series only at the ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from logscope.facts import batches
from logscope.facts.retractions import distinct
from logscope.launch import Launch

_SPANS = 120
_CLASSES = ((2, "answers 2xx"), (3, "answers 3xx"), (4, "answers 4xx"), (5, "answers 5xx"))


def counts_of(launch: Launch, first: float | None, last: float | None) -> Iterator[dict[str, Any]]:
    """The counted series of a launch; nothing where no clock is printed."""
    if first is None or last is None or last <= first:
        return
    edges = np.linspace(first, last, min(_SPANS, max(int(last - first), 1)) + 1)
    access = launch.table("http_access")
    if access.num_rows:
        times, status = batches.times(launch, "http_access"), batches.column(launch, "http_access", "status")
        there = np.isfinite(times)
        for number, label in _CLASSES:
            inside = there & (status >= 100 * number) & (status < 100 * (number + 1))
            if inside.any():
                yield _counted(f"http_{number}xx", label, "answers", times[inside], edges, "main")
    retracted = distinct(launch)
    if retracted:
        times = np.array([row.time for row in retracted if row.get("time") is not None])
        yield _counted("retractions", "retractions", "events", times, edges, retracted[0].rank)


def _counted(name: str, label: str, unit: str, times: Any, edges: Any, rank: str) -> dict[str, Any]:
    counts, _ = np.histogram(times, bins=edges)
    shown = [float(value) for value in counts]
    starts = [round(float(edge - edges[0]), 3) for edge in edges[:-1]]
    made = {"name": name, "label": label, "unit": unit, "rank": rank, "t": starts, "lo": shown, "hi": shown}
    return made | {"rows": len(times)}
