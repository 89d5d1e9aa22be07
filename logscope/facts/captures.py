"""Captures of graphs on a rank: each begin with the end that follows it, and what they took.

GiB. A begin that another begin follows is left out: captures of a draft stand inside those of the target.
Source: `ModelRunner.init_device_graphs`, `cuda_graph_setup.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.facts.failures import Failure
from logscope.launch import Launch, Rank, Row

_NAMED = re.compile(r"Capture (?P<prefill>prefill )?(?:CUDA|cuda|CPU|NPU|npu) graph failed")


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture: its two lines."""

    begin: Row
    end: Row

    @property
    def prefill(self) -> bool:
        """Whether prefill graphs were captured."""
        return _prefill(self.end)


def of_prefill(launch: Launch, failure: Failure) -> bool:
    """Whether the capture that failed was one of prefill graphs: by the error's own words, else by what had begun."""
    named = _NAMED.search(failure.text)
    if named:
        return named["prefill"] is not None
    rows = [row for row in launch.rows("graph_capture") if row.ref < failure.decisive]
    rows = [row for row in rows if row.get("kind") in ("begin", "end") and failure.rank in (row.rank, "main")]
    return bool(rows) and rows[-1]["kind"] == "begin" and _prefill(rows[-1])


def _prefill(row: Row) -> bool:
    return str(row.get("stage", "decode")) in ("prefill", "piecewise")


def captures(rank: Rank) -> list[Capture]:
    """The completed captures of a rank that print their memory; raises FactMissing when there is none."""
    found: list[Capture] = []
    begin: Row | None = None
    for row in rank.rows("graph_capture"):
        if row.get("kind") == "begin":
            begin = row
        elif row.get("kind") == "end":
            if begin is not None and _same(begin, row):
                found.append(Capture(begin, row))
            begin = None
    if not found:
        raise FactMissing(f"{rank.name} printed no capture with its free memory")
    return found


def _same(begin: Row, end: Row) -> bool:
    names = ("worker", "stage", "device")
    printed = all(row.get("avail_mem_gib") is not None for row in (begin, end)) and end.get("mem_usage_gib") is not None
    return printed and all(begin.get(name) == end.get(name) for name in names)


def captured_sizes(launch: Launch) -> tuple[Row, list[int]]:
    """The row and the batch sizes of the target's decode graphs; raises FactMissing when no line lists them."""
    for row in reversed(launch.rows("graph_capture")):
        sizes = [int(size) for size in re.findall(r"\d+", str(row.get("batch_sizes", "")))]
        if sizes and row.get("worker", "target") == "target" and row.get("stage", "decode") in ("decode", "verify"):
            return row, sizes
    raise FactMissing("no line lists the captured batch sizes")
