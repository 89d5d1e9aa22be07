"""Inputs → parts: what one input, or one process label of it, holds of one start of a server.

Two services in one file that both print their arguments are two servers: their labels are cut into starts each by
itself. Other labels only name a process of one server and split nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope.boundaries import boundaries
from logscope.launch import BEGINS, FAILING, SERVING, Piece
from logscope.server_arguments import arguments_of
from logscope.tracks import Integers, Track, rotation

_DUMPS = ("server_args", "argparse_error")
_NAMING = frozenset({*BEGINS, *SERVING, "memory_pool_end", "kv_pool", "graph_capture", "attention_backend"})
_RANK_LABEL = re.compile(r"(?:^|/)rank \d+$")
# Lines of the process in front of the ranks.
OF_MAIN = frozenset(
    {
        "http_access",
        "uvicorn",
        "ready",
        "request_log",
        "request_refused",
        "request_time_stats",
        "health_check",
        "startup_timing",
        "shutdown",
        "signal",
    }
)
_SHOWING = OF_MAIN | {"argparse_error", "budget_refused", "failure", "import_failure"}
_OUTSIDE = (("router", {"router"}), ("client", {"bench_serving", "client_error"}))  # what is no server
_ROLES = (("decode", "decode_batch", "transfer_requests"), ("prefill", "prefill_batch", "bootstrap_requests"))


@dataclass(slots=True, eq=False)
class Part:
    """The lines of one input between two starts, and what they tell of the server; times in seconds since 1970."""

    number: int
    stream: int
    place: int  # among the parts of its stream
    piece: Piece
    arguments: Mapping[str, Any] = field(default_factory=dict)
    families: set[str] = field(default_factory=set)
    ranks: set[str] = field(default_factory=set)
    named: bool = False  # whether the ranks are those of lines that always name theirs
    serving: set[str] = field(default_factory=set)
    role: str = ""
    start: float | None = None
    end: float | None = None
    rank_end: dict[str, float] = field(default_factory=dict)
    overlaps: str = ""  # the input that ends with the first lines of this one
    overlap_lines: int = 0
    fits: tuple[str, ...] = ()  # the launches that it fits alike, so that it joins none

    @property
    def path(self) -> str:
        return self.piece.path

    @property
    def label(self) -> str:
        """The label that separates this part from others of the same input; "" for a whole input."""
        return min((label for label in self.piece.labels or () if label), default="")

    @property
    def name(self) -> str:
        """How a reason calls this part."""
        return f"{self.path} ({self.label})" if self.label else self.path

    @property
    def failed(self) -> bool:
        return bool(self.families & set(FAILING))

    @property
    def beside(self) -> bool:
        """Whether it shows no server by itself: what the machine or a shell says, warnings before a start, nothing."""
        return not self.ranks and not self.arguments and not self.role and not self.families & _SHOWING

    @property
    def comes_up(self) -> bool:
        """Whether it shows how a rank or a server came up."""
        return bool(self.families & {*BEGINS, *_DUMPS})


def parts_of(found: Mapping[str, pa.Table], tracks: Sequence[Track], last_lines: Mapping[str, int]) -> list[Part]:
    """The parts of all inputs, in the order of the inputs and their lines."""
    parts: list[Part] = []
    streams = 0
    for track in tracks:
        for group in _label_groups(found, track):
            keep = None if group is None else _keeper(track, group)
            starts = boundaries(found, track.path, keep)
            ends = [start - 1 for start in starts[1:]] + [max(last_lines[track.path], 1)]
            for place, (first, last) in enumerate(zip(starts, ends, strict=True)):
                part = Part(len(parts), streams, place, Piece(track.path, first, last, group))
                if not place and track.overlaps:
                    part.overlaps, part.overlap_lines = track.overlaps, track.overlap_lines
                parts.append(part)
            streams += 1
    return parts


def _keeper(track: Track, group: frozenset[str]) -> Any:
    wanted = [code for label, code in track.labels.items() if label in group]
    return lambda lines: np.isin(track.codes(np.array(lines, np.int64)), wanted).tolist()


def _label_groups(found: Mapping[str, pa.Table], track: Track) -> list[frozenset[str] | None]:
    """The labels that are servers of their own, each with those that belong to it; None for the input as a whole."""
    own = _labels_of(found, track, _DUMPS) - {""}
    own = {label for label in own if not _RANK_LABEL.search(label)}
    if len(own) < 2:
        return [None]
    apart = _labels_of(found, track, (*BEGINS, *SERVING, "router"))
    own |= {label for label in apart if label and not _RANK_LABEL.search(label)}
    groups: dict[str, set[str]] = {label: {label} for label in sorted(own)}
    for label in sorted(set(track.labels) - own):
        nearest = max(sorted(own), key=lambda one: shared_letters(one, label))
        groups[nearest].add(label)
    return [frozenset(group) for group in groups.values()]


def _labels_of(found: Mapping[str, pa.Table], track: Track, families: Sequence[str]) -> set[str]:
    names = {code: label for label, code in track.labels.items()}
    if len(names) < 2:
        return set()
    labels: set[str] = set()
    for family in families:
        if family in found:
            table = found[family]
            lines = table.filter(pc.equal(table["path"].cast(pa.string()), track.path))["line"].to_numpy()
            labels.update(names[int(code)] for code in np.unique(track.codes(lines)))
    return labels


def numbered(table: pa.Table, parts: Sequence[Part], tracks: Mapping[str, Track]) -> Integers:
    """The number of the part that each row of a table belongs to."""
    numbers = np.zeros(table.num_rows, np.int64)
    if len(parts) < 2:
        return numbers
    coded = table["path"].combine_chunks()
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
    codes, lines = coded.indices.to_numpy(zero_copy_only=False), table["line"].to_numpy()
    for code, path in enumerate(coded.dictionary.to_pylist()):
        rows = np.flatnonzero(codes == code)
        own = [part for part in parts if part.path == path]
        for labels in {part.piece.labels for part in own}:
            inside = rows if labels is None else rows[np.array(_keeper(tracks[path], labels)(lines[rows]), bool)]
            group = [part for part in own if part.piece.labels == labels]
            firsts = np.array([part.piece.first for part in group], np.int64)
            places = np.clip(np.searchsorted(firsts, lines[inside], side="right") - 1, 0, len(group) - 1)
            numbers[inside] = np.array([part.number for part in group], np.int64)[places]
    return numbers


def described(parts: Sequence[Part], found: Mapping[str, pa.Table]) -> None:
    """Fill in what the rows of each part tell; `launch` of the tables holds the number of the part."""
    for name, table in found.items():
        columns = {"launch": table["launch"], "rank": table["rank"].cast(pa.string()), "time": table["time"]}
        grouped = pa.table(columns).group_by(["launch", "rank"]).aggregate([("time", "min"), ("time", "max")])
        for row in grouped.to_pylist():
            _describe(parts[row["launch"]], name, row["rank"], _seconds(row["time_min"]), _seconds(row["time_max"]))
    if "server_args" in found:
        rows = found["server_args"].select(["launch", "text"]).to_pylist()
        for row in reversed(rows):
            parts[row["launch"]].arguments = arguments_of(row["text"])
    for part in parts:
        part.role = _role(part, found)


def _describe(part: Part, family: str, rank: str, start: float | None, end: float | None) -> None:
    part.families.add(family)
    if rank != "main":
        # A bare line (a progress bar, a warning) counts as TP0's, whoever printed it.
        named = family in _NAMING
        if named and not part.named:
            part.ranks, part.named = set(), True
        if named or not part.named:
            part.ranks.add(rank)
        if family in SERVING:
            part.serving.add(rank)
    if start is not None and end is not None:
        part.start = start if part.start is None else min(part.start, start)
        part.end = end if part.end is None else max(part.end, end)
        part.rank_end[rank] = max(end, part.rank_end.get(rank, end))


def _seconds(moment: Any) -> float | None:
    return None if moment is None else pa.scalar(moment, pa.timestamp("ms")).value / 1000


def role_of(arguments: Mapping[str, Any]) -> str:
    """What its arguments say that a server does: prefill, decode, encoder; "" for all of it."""
    stated = arguments.get("disaggregation_mode")
    if stated in ("prefill", "decode"):
        return str(stated)
    return "encoder" if arguments.get("encoder_only") else ""


def _role(part: Part, found: Mapping[str, pa.Table]) -> str:
    stated = role_of(part.arguments)
    if stated:
        return stated
    for role, families in _OUTSIDE:
        if part.families & families and not part.ranks and not part.arguments:
            return role
    for role, family, column in _ROLES:
        if family in part.families and column in found[family].column_names and not part.arguments:
            table = found[family]
            own = table.filter(pc.equal(table["launch"], part.number))
            if own[column].null_count < own.num_rows:
                return role
    return ""


def sequence(part: Part) -> tuple[str, float]:
    """The rotated log that a part's input is a piece of, and how old a piece."""
    return rotation(part.path)


def shared_letters(one: str, other: str) -> int:
    """With how many letters two names begin alike."""
    places = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(places) if a != b), min(len(one), len(other)))
