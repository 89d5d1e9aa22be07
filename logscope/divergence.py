"""Where two launches begin to differ: the first event of one that the other does not have at that place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from logscope.launch import Rank
from logscope.plain import line_of, plain
from logscope.quantity import LineRef

COUNTED = ("prefill_batch", "decode_batch", "http_access", "request_log", "progress", "notice", "unread", "server_args")
"""Families whose number of lines follows the load, not the course of the start."""


def events(rank: Rank) -> list[dict[str, Any]]:
    """The events of one rank and of the main process from the arguments on, in the order of their lines."""
    found = sorted(_events(rank), key=lambda event: (str(event["line"].path), event["line"].line))
    dumps = rank.launch.rows("server_args")
    if not dumps:
        return found
    return [
        event for event in found if event["line"].path != dumps[0].ref.path or event["line"].line > dumps[0].ref.line
    ]


def _events(rank: Rank) -> Iterator[dict[str, Any]]:
    for family in rank.launch.tables:
        if family in COUNTED or family.startswith("_"):
            continue
        for name in (rank.name, "main"):
            for row in rank.launch.rank(name).rows(family):
                kind = row.get("kind") or row.get("cause") or row.get("phase") or ""
                yield {"event": f"{family} {kind}".strip(), "line": row.ref, "seconds": _seconds(row)}


def _seconds(row: Any) -> float | None:
    stamp = row.get("time")
    return None if stamp is None else float(stamp.timestamp())


def first_divergence(a: Rank, b: Rank) -> dict[str, Any]:
    """The place at which the courses part: the last event in common and the next of each; empty where they do not."""
    left, right = events(a), events(b)
    for place in range(max(len(left), len(right))):
        here = left[place] if place < len(left) else None
        there = right[place] if place < len(right) else None
        if here and there and here["event"] == there["event"]:
            continue
        return _told(left, right, place)
    return {}


def _told(left: list[dict[str, Any]], right: list[dict[str, Any]], place: int) -> dict[str, Any]:
    told: dict[str, Any] = {"after": left[place - 1]["event"] if place else None}
    for key, side in (("a", left), ("b", right)):
        if place < len(side):
            since = _since(side, place)
            told[key] = {"event": side[place]["event"], "line": line_of(_line(side[place])), "seconds": since}
        else:
            told[key] = {"event": "nothing more"}
    return dict(plain(told))


def _line(event: dict[str, Any]) -> LineRef:
    line = event["line"]
    assert isinstance(line, LineRef)
    return line


def _since(side: list[dict[str, Any]], place: int) -> float | None:
    start, here = side[0]["seconds"], side[place]["seconds"]
    return None if start is None or here is None else here - start
