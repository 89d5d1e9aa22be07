"""How often something happened over time: answers by status class and retractions, in equal spans of a launch.

One series a kind: `t` is the beginning of a span in seconds since the start of the launch, `lo` and `hi` the number of
lines in it. Spans without any are left out of short series only at the ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logscope.facts import batches
from logscope.facts.batches import Array
from logscope.facts.retractions import distinct
from logscope.launch import Launch

Counts = NDArray[np.int64]
_SPANS = 120
_CLASSES = ((2, "answers 2xx"), (3, "answers 3xx"), (4, "answers 4xx"), (5, "answers 5xx"))


def counts_of(launch: Launch, first: float | None, last: float | None) -> Iterator[dict[str, Any]]:
    """The counted series of a launch; nothing where no clock is printed."""
    if first is None or last is None or last <= first:
        return
    edges = np.linspace(first, last, min(_SPANS, max(int(last - first), 1)) + 1)
    yield from _answers(launch, edges)
    retracted = distinct(launch)
    if retracted:
        times = np.array([row.time for row in retracted if row.get("time") is not None])
        counts = _in_spans(times, edges)
        yield _counted("retractions", "retractions", "events", counts, edges, retracted[0].rank) | {"rows": len(times)}


def _answers(launch: Launch, edges: Array) -> Iterator[dict[str, Any]]:
    """The answers of each class; a large table is counted part by part, so that its times are never all in memory."""
    counts, rows = np.zeros((len(_CLASSES), len(edges) - 1), np.int64), [0] * len(_CLASSES)
    for times, status in batches.pieces(launch, "http_access", "status"):
        for place, (number, _) in enumerate(_CLASSES):
            inside = np.isfinite(times) & (status >= 100 * number) & (status < 100 * (number + 1))
            counts[place] += _in_spans(times[inside], edges)
            rows[place] += int(np.count_nonzero(inside))
    for (number, label), of_class, printed in zip(_CLASSES, counts, rows, strict=True):
        if printed:
            yield _counted(f"http_{number}xx", label, "answers", of_class, edges, "main") | {"rows": printed}


def _in_spans(times: Array, edges: Array) -> Counts:
    """How many times lie in each span: all are equal and bound their beginning, the last one its end too."""
    counts, _ = np.histogram(times, bins=len(edges) - 1, range=(float(edges[0]), float(edges[-1])))
    return counts


def _counted(name: str, label: str, unit: str, counts: Counts, edges: Array, rank: str) -> dict[str, Any]:
    shown = [float(value) for value in counts]
    starts = [round(float(edge - edges[0]), 3) for edge in edges[:-1]]
    return {"name": name, "label": label, "unit": unit, "rank": rank, "t": starts, "lo": shown, "hi": shown}
