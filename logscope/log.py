"""Inputs → a log: its tables, its launches, its coverage, and the text of any of its lines."""

from __future__ import annotations

import bisect
import datetime
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from logscope import tables
from logscope.clocks import dates_alone, of_requests, offsets, own_clock
from logscope.collected import Collected
from logscope.columns.hot import HotLines
from logscope.joining import hosts, joined, kept_apart, reasons
from logscope.launch import Launch
from logscope.parse import Coverage, Reader
from logscope.parts import described, numbered, parts_of, role_of
from logscope.physical import merged
from logscope.quantity import LineRef
from logscope.reading import BlockReader, in_threads
from logscope.redact import mask_lines, masked_prompt
from logscope.redact.columns import masked_table
from logscope.releases import release_of
from logscope.source import Source
from logscope.tracks import Track, in_order, watched
from logscope.wrappers import bare, unwrapping

_LONGEST_BYTES = 4096  # of a quoted line
_BLOCK_BYTES = 1 << 23  # large enough that calls of kernels in two threads seldom wait for each other


@dataclass(slots=True)
class Input:
    """One input after reading: what it was, and what became of its lines."""

    source: Source
    coverage: Coverage
    stamps: Mapping[str, int]  # how many lines were dated, yearless, time only
    wrappers: tuple[Mapping[str, str], ...] = ()
    last_line: int = 0
    joined: Mapping[int, int] = field(
        default_factory=dict
    )  # physical lines that were one line before somebody broke it
    hidden: Sequence[tuple[int, int]] = ()  # first and last line of what users wrote, in the order of the lines
    track: Track = field(default_factory=lambda: Track(""))

    def bare(self, text: str) -> str:
        """A line without the object that a log shipper made of it: who reads it looks for what the server printed."""
        return bare((one["name"] for one in self.wrappers), text)

    def hides(self, line: int) -> bool:
        """Whether a line goes on with what a user wrote."""
        place = bisect.bisect(self.hidden, (line, math.inf)) - 1
        return place >= 0 and line <= self.hidden[place][1]


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a log that is asked for: records whose printed time lies between the two, both included."""

    since: datetime.datetime | None = None
    until: datetime.datetime | None = None

    def keep(self, table: pa.Table) -> pa.Table:
        mask = pa.scalar(True)
        for bound, compare in ((self.since, pc.greater_equal), (self.until, pc.less_equal)):
            if bound is not None:
                mask = pc.and_kleene(mask, compare(table["time"], pa.scalar(bound, pa.timestamp("ms"))))
        return table if isinstance(mask, pa.BooleanScalar) else table.filter(pc.fill_null(mask, False))

    @property
    def told(self) -> str:
        """`lines from 2026-11-29T12:18:30 to 2026-11-29T12:19:00`; "" where all of the log is asked for."""
        bounds = (("from", self.since), ("to", self.until))
        parts = [f"{word} {bound.isoformat().removeprefix('1970-01-01T')}" for word, bound in bounds if bound]
        return f"lines {' '.join(parts)}" if parts else ""


@dataclass(slots=True, eq=False)
class Log:
    """One or several inputs of one incident, read.

    `tables` has one Arrow table a family that took a line, by name; rows are in the order of the inputs and their
    lines.
    """

    inputs: tuple[Input, ...]
    raw: Mapping[str, pa.Table]
    launches: tuple[Launch, ...]
    show_prompts: bool = False
    timezone: str = "unstated"
    window: Window = Window()
    _texts: dict[LineRef, str] = field(default_factory=dict)
    _public: Mapping[str, pa.Table] = field(default_factory=dict)

    @property
    def tables(self) -> Mapping[str, pa.Table]:
        if not self._public:
            shown = {name: tables.public(table) for name, table in self.raw.items()}
            masked = shown if self.show_prompts else {name: masked_table(table) for name, table in shown.items()}
            self._public = tables.Tables(masked)
        return self._public

    @property
    def dated(self) -> bool:
        """Whether the lines carry dates; times without them count from 1970-01-01."""
        stamps = Counter[str]()
        for one in self.inputs:
            stamps.update(one.stamps)
        return stamps["dated"] >= stamps["time"] and bool(stamps["dated"])

    def fetch(self, refs: Iterable[LineRef]) -> None:
        """Read the texts of these lines in one pass an input, so that `text` has them."""
        wanted: dict[str, set[int]] = {}
        for ref in refs:
            if ref not in self._texts:
                wanted.setdefault(ref.path, set()).add(ref.line)
        for one in self.inputs:
            numbers = wanted.get(one.source.path)
            if numbers:
                found = one.source.lines_at(numbers, longest_bytes=_LONGEST_BYTES)
                for number, data in found.items():
                    text = data.decode(errors="backslashreplace").rstrip("\r")
                    self._texts[LineRef(one.source.path, number)] = text

    def whole(self, ref: LineRef) -> list[LineRef]:
        """The physical lines of a line: itself, and those that it was broken into (at most four)."""
        last = next(
            (one.joined.get(ref.line, ref.line) for one in self.inputs if one.source.path == ref.path), ref.line
        )
        return [LineRef(ref.path, number) for number in range(ref.line, min(last, ref.line + 3) + 1)]

    def shown(self, refs: Sequence[LineRef]) -> list[str]:
        """Consecutive lines of one input as a report may quote them: without prompts and secrets unless asked for."""
        texts = [self.text(ref) for ref in refs]
        of_path = {one.source.path: one for one in self.inputs}
        if not self.show_prompts:
            texts = [
                masked_prompt(text) if of_path[ref.path].hides(ref.line) else shown
                for ref, text, shown in zip(refs, texts, mask_lines(texts), strict=True)
            ]
        return [of_path[ref.path].bare(text) for ref, text in zip(refs, texts, strict=True)]

    def text(self, ref: LineRef) -> str:
        """The physical line, unabridged up to 4 KiB; "" for a line that is not there."""
        if ref not in self._texts:
            self.fetch([ref])
        return self._texts.get(ref, "")


def read(sources: Sequence[Source], *, window: Window, show_prompts: bool, timezone: str) -> Log:
    """Read all inputs, cut them into launches and join what belongs to one."""
    sources = list({source.path: source for source in sources}.values())
    inputs: dict[str, Input] = {}
    tracks: list[Track] = []
    by_path: dict[str, dict[str, pa.Table]] = {}
    hot, collected = HotLines(), Collected()
    for source in in_order(sources):
        reader, track = BlockReader(), Track(source.path)
        unwrapped = unwrapping(source, _BLOCK_BYTES)
        for block, read_by_column in in_threads(watched(unwrapped, track, tracks, hashed=len(sources) > 1), hot):
            collected.add(reader.take(block, read_by_column), source.path)
            collected.add_rows(reader.ripe(), source.path, show_prompts=show_prompts)
        reader.finish()
        collected.add_rows(reader.rows, source.path, show_prompts=show_prompts)
        found = collected.of_input()
        one = inputs[source.path] = _input(source, reader, unwrapped, track)
        twin = next((t for t in tracks if inputs[t.path].source.sha256 == source.sha256 and source.bytes), None)
        if twin is not None:
            track.same_as = twin.path
            one.coverage = Coverage()
            continue
        tracks.append(track)
        by_path[source.path] = {name: window.keep(own_clock(table, track)) for name, table in found.items()}
    merged, launches = _launches(by_path, tracks, inputs)
    for launch in launches:
        launch.release = release_of(launch)
    return Log(tuple(inputs[source.path] for source in sources), merged, launches, show_prompts, timezone, window)


def _launches(
    by_path: Mapping[str, Mapping[str, pa.Table]], tracks: Sequence[Track], inputs: Mapping[str, Input]
) -> tuple[dict[str, pa.Table], tuple[Launch, ...]]:
    """The tables of all inputs, with the launch of each row, and the launches."""
    found = _concatenated(by_path, [track.path for track in tracks])
    parts = parts_of(found, tracks, {path: one.last_line for path, one in inputs.items()})
    of_path = {track.path: track for track in tracks}
    # Rows of one part are of launch 0 already: a number for each of 75 million would be all that is in memory.
    numbers = {name: numbered(table, parts, of_path) for name, table in found.items()} if len(parts) > 1 else {}
    if len({part.stream for part in parts}) > 1:
        described(parts, {name: _with_launch(table, numbers[name]) for name, table in found.items()})
    groups = joined(parts)
    launch_of = np.zeros(len(parts), np.int64)
    for number, group in enumerate(groups):
        launch_of[[part.number for part in group.parts]] = number
    found |= {name: _with_launch(found[name], launch_of[of_table]) for name, of_table in numbers.items()}
    order = list(dict.fromkeys(part.path for group in groups for part in group.ordered()))
    found = _reordered(found, order)
    launches = []
    for number, group in enumerate(groups):
        launch = Launch(number, tuple(part.piece for part in group.ordered()), found)
        launch.role = group.first.role or role_of(launch.arguments)
        launch.joined_because, launch.kept_apart = reasons(group), kept_apart(group, groups)
        launch.keep_clocks(offsets(launch, hosts(group)))
        launches.append(launch)
    for launch in (one for one in launches if one.role == "decode"):
        others = [offset for one in launches if one.role == "prefill" for offset in of_requests(one, launch)]
        launch.clock_offsets = (*launch.clock_offsets, *others)
    return found, tuple(launches)


def _concatenated(by_path: Mapping[str, Mapping[str, pa.Table]], paths: Sequence[str]) -> dict[str, pa.Table]:
    by_family: dict[str, list[pa.Table]] = {}
    for path in paths:
        for name, table in by_path[path].items():
            if table.num_rows:
                by_family.setdefault(name, []).append(table)
    return {name: tables.joined(by_family[name]) for name in sorted(by_family)}


def _with_launch(table: pa.Table, numbers: NDArray[np.int64]) -> pa.Table:
    place = table.schema.get_field_index("launch")
    return table.set_column(place, "launch", pa.array(numbers.astype(np.int32), pa.int32()))


def _reordered(found: Mapping[str, pa.Table], paths: Sequence[str]) -> dict[str, pa.Table]:
    """The tables with their rows in this order of inputs."""
    if len(paths) < 2:
        return dict(found)
    ordered = {}
    for name, table in found.items():
        place = pc.index_in(table["path"].cast(pa.string()), pa.array(paths, pa.string())).to_numpy()
        ordered[name] = table.take(np.argsort(place, kind="stable"))
    return ordered


def _input(source: Source, reader: Reader, unwrapped: Any, track: Track) -> Input:
    wrappers = tuple(
        {"name": name, "confidence": found.confidence, "why": found.why}
        for name, found in getattr(unwrapped, "stack", ())
    )
    stamps = {str(kind): count for kind, count in reader.clock.kinds.items()}
    if dates_alone(track):
        stamps["dated"] = stamps.get("dated", 0) + track.outer_lines
    return Input(
        source,
        reader.coverage,
        stamps,
        wrappers,
        reader.last_line,
        reader.joined,
        merged(reader.hidden),
        track=track,
    )
