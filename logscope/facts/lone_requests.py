"""Requests that the pool did not hold alone, after all others had been retracted.

Source: `ScheduleBatch.retract_decode`: `No space left for only one request` (to 0.5.6), `Out of memory even after
retracting all other requests` (0.5.7–0.5.9), `aborted last request` (0.5.10 and later).
"""

from __future__ import annotations

from logscope.launch import Launch
from logscope.quantity import LineRef

_TEXTS = ("Out of memory even after retracting all other requests", "No space left for only one request")


def lines(launch: Launch) -> list[LineRef]:
    """The lines that say so, in order; empty where no request was ended for it."""
    found = [row.ref for row in launch.rows("retraction_abort") if row.get("kind") == "last_request"]
    for row in launch.rows("failure"):
        said = str(row.get("text", "")).split("\n")
        found += [row.line_of_text(k) for k, line in enumerate(said) if any(text in line for text in _TEXTS)][-1:]
    return sorted(found)
