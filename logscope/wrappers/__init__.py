"""What containers, launchers, terminals and log stores put around a line; one wrapper is one file.

A wrapper tells from a sample of lines whether it is there (`detect`) and takes itself off a block (`unwrap`, or an
`Unwrapper` where a state crosses blocks: `unwrapper()` makes it). Wrappers are nested in any order: `stack` takes the
outermost off until none is found. A line that a wrapper does not fit passes unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Literal, Protocol

import numpy as np

from logscope.discover import units
from logscope.source import Block, Source, line_count
from logscope.wrappers._json import encoded

_SAMPLE_BYTES = 1 << 20
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Detection:
    """That a wrapper is there, how sure that is, and what says so."""

    confidence: Literal["certain", "likely"]
    why: str


class Unwrapper(Protocol):
    """A wrapper with a state that crosses blocks."""

    def feed(self, block: Block) -> Block:
        """The unwrapped lines that are complete after this block."""
        ...

    def finish(self) -> Block | None:
        """What was held back at the end of the input."""
        ...


class Stateless:
    """A plain `unwrap` function with the face of an Unwrapper."""

    def __init__(self, unwrap: Callable[[Block], Block]) -> None:
        self._unwrap = unwrap

    def feed(self, block: Block) -> Block:
        """The block without the wrapper."""
        return self._unwrap(block)

    def finish(self) -> Block | None:
        """Nothing: no line is held back."""
        return None


Make = Callable[[], Unwrapper]


def unwrapper(name: str, sample: Sequence[str] = ()) -> Unwrapper:
    """A fresh unwrapper of the wrapper with this name; some learn a width, an indent or a key from the sample."""
    unit = units(__name__)[name]
    if hasattr(unit, "unwrapper"):
        made: Unwrapper = unit.unwrapper(sample)
        return made
    return Stateless(unit.unwrap)


def bare(names: Iterable[str], line: str) -> str:
    """A physical line without the object that a log shipper made of it, which only some wrappers can take off."""
    found = (getattr(units(__name__)[name], "bare", None) for name in names)
    take_off = next(filter(None, found), None)
    return str(take_off(line)) if take_off is not None else line


def stack(sample: Sequence[str]) -> list[tuple[str, Detection]]:
    """The wrappers around these lines, outermost first."""
    return [(name, detection) for name, detection, _ in _layers(sample)]


def _layers(sample: Sequence[str]) -> list[tuple[str, Detection, Make]]:
    lines = list(sample)
    found: list[tuple[str, Detection, Make]] = []
    while len(found) < _DEEPEST and (best := _outermost(lines)):
        name, detection = best
        make = partial(unwrapper, name, lines)
        inside = _unwrapped(lines, make())
        if inside == lines:
            break
        found.append((name, detection, make))
        lines = inside
    return found


def _outermost(lines: Sequence[str]) -> tuple[str, Detection] | None:
    """What is surest, and of those what takes most off: a clock alone is also the beginning of longer prefixes.

    A unit with `LAST` comes when all others find nothing.
    """
    found = named(lines)
    certain = [one for one in found if one[1].confidence == "certain"]
    if len(certain) > 1:
        return min(certain, key=lambda one: sum(map(len, _unwrapped(lines, unwrapper(one[0], lines)))))
    return next(iter(certain or found or _detected(lines, "LAST")), None)


def named(lines: Sequence[str]) -> list[tuple[str, Detection]]:
    """The wrappers that know these lines by their own form.

    A unit with `WHOLE` looks at whole lines and goes before those that take a part of them off: if one is there, it alone.
    """
    return _detected(lines, "WHOLE")[:1] or _detected(lines, "")


def _detected(lines: Sequence[str], mark: str) -> list[tuple[str, Detection]]:
    marks = ("WHOLE", "LAST")
    asked = [
        (name, unit)
        for name, unit in units(__name__).items()
        if (hasattr(unit, mark) if mark else not any(hasattr(unit, one) for one in marks))
    ]
    return [(name, detection) for name, unit in asked if (detection := _detect(unit, lines))]


def _detect(unit: ModuleType, lines: Sequence[str]) -> Detection | None:
    found: Detection | None = unit.detect(lines)
    return found


def _unwrapped(lines: Sequence[str], unit: Unwrapper) -> list[str]:
    data = b"".join(encoded(line) + b"\n" for line in lines)
    texts: list[str] = []
    for block in run([Block("", 1, data)], [unit]):
        texts.extend(block.data.decode(errors="surrogateescape").split("\n"))
        if block.data.endswith(b"\n"):
            texts.pop()
    return texts


def run(blocks: Iterable[Block], unwrappers: Sequence[Unwrapper]) -> Iterator[Block]:
    """Blocks through a row of unwrappers, outermost first; what they held back comes at the end."""
    for block in blocks:
        yield _through(block, unwrappers)
    for place, unit in enumerate(unwrappers):
        tail = unit.finish()
        if tail is not None and tail.data:
            yield _through(tail, unwrappers[place + 1 :])


def _through(block: Block, unwrappers: Sequence[Unwrapper]) -> Block:
    for unit in unwrappers:
        block = unit.feed(block)
    return block


class Unwrapping:
    """The blocks of a source with its wrappers taken off; after the first block, `stack` tells which they are.

    At the end, `joined_lines` is the number of physical lines that became part of another line, and `extra_lines` that
    of lines beyond the first that came out of one: lines out = lines in − joined + extra.
    """

    def __init__(self, source: Source, size: int) -> None:
        self.source = source
        self.size = size
        self.stack: tuple[tuple[str, Detection], ...] = ()
        self.joined_lines = 0
        self.extra_lines = 0

    def __iter__(self) -> Iterator[Block]:
        blocks = self.source.blocks(self.size)
        head, size = [], 0
        for block in blocks:
            head.append(block)
            size += len(block.data)
            if size >= _SAMPLE_BYTES:
                break
        layers = _layers(sample_lines(b"".join(block.data for block in head)))
        self.stack = tuple((name, detection) for name, detection, _ in layers)
        # Colours begin late in many logs: whatever the sample says, escape sequences go last.
        unwrappers = [make() for _, _, make in layers] + [unwrapper("ansi")]
        lines = distinct = 0
        for block in run((one for part in (head, blocks) for one in part), unwrappers):
            if block.data:
                yield block
                if not layers:
                    continue
                count = line_count(block.data)
                lines += count
                distinct += count if block.numbers is None else len(np.unique(block.numbers))
        if layers:
            self.extra_lines = lines - distinct
            self.joined_lines = self.source.lines - distinct


def unwrapping(source: Source, size: int = 1 << 20) -> Unwrapping:
    """The blocks of a source with its wrappers taken off; an iterable whose `stack` names them, outermost first."""
    return Unwrapping(source, size)


def sample_lines(data: bytes, slices: int = 5, lines: int = 80) -> list[str]:
    """Some lines from the beginning, the middle and the end of a text, each cut to 64 KiB."""
    if line_count(data) <= slices * lines:
        picked = data.split(b"\n")
    else:
        step = len(data) // slices
        picked = []
        for start in range(0, slices * step, step):
            at = data.find(b"\n", start) + 1 if start else 0
            picked.extend(_lines_from(data, at, lines))
    if picked and not picked[-1]:
        picked.pop()
    return [line[: 1 << 16].decode(errors="surrogateescape") for line in picked]


def _lines_from(data: bytes, at: int, count: int) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < count and at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        found.append(data[at:end])
        at = end + 1
    return found


def with_data(block: Block, data: bytes) -> Block:
    """The same lines with other text."""
    return replace(block, data=data)
