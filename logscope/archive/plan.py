"""What a scan has to do: every input in its order, and which of them must be read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from logscope.archive.selection import Found, Refused
from logscope.archive.task import Settings
from logscope.version import VERSION

if TYPE_CHECKING:
    from logscope.archive.store import Known

WINDOW = 256  # inputs that are sorted and written together
LARGE_BYTES = 64 << 20  # such an input is begun first of all, or it would be the tail of the scan


@dataclass(frozen=True, slots=True)
class Step:
    """One input of a scan: its place in the order of the inputs, and what is to be done with it."""

    place: int
    input: Found | Refused
    known: bool = False


@cache
def rule_set() -> str:
    """Sixteen hexadecimal digits of everything that decides what a log says: the whole package, byte by byte."""
    digest = hashlib.sha256()
    home = Path(__file__).parents[1]
    for path in sorted(home.rglob("*.py")):
        name = path.relative_to(home).as_posix()
        if not name.startswith(("cli/", "render/", "archive/")):
            digest.update(f"{name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def with_analysis(settings: Settings) -> Settings:
    """The settings with the name of the analysis that they stand for: release, rule set, and how a log is read."""
    told = (VERSION, rule_set(), settings.window, settings.timezone, settings.caps, settings.sampled_rows)
    filters = (settings.include, settings.exclude)  # they decide which members of a bundle were read
    name = hashlib.sha256(repr((told, filters)).encode()).hexdigest()[:16]
    return replace(settings, analysis=name)


def steps(inputs: Iterable[Found | Refused], known: Mapping[str, Known], analysis: str) -> Iterator[Step]:
    """The inputs in their order, those marked whose size, time and analysis are those of the store."""
    for place, one in enumerate(inputs):
        before = known.get(one.path) if isinstance(one, Found) else None
        same = before is not None and isinstance(one, Found) and _same(before, one, analysis)
        yield Step(place, one, same)


def _same(before: Known, now: Found, analysis: str) -> bool:
    return (before.size, before.mtime_ns, before.analysis) == (now.size, now.mtime_ns, analysis)


def windows(found: Sequence[Found]) -> list[list[int]]:
    """The places of the inputs in the order in which they are begun, cut into windows.

    What is large comes first of all; inside a window the largest comes first. The windows depend on the inputs only,
    so that the same archive gives the same store.
    """
    large = sorted((p for p, one in enumerate(found) if one.size >= LARGE_BYTES), key=lambda p: -found[p].size)
    rest = [place for place, one in enumerate(found) if one.size < LARGE_BYTES]
    cut = [part[at : at + WINDOW] for part in (large, rest) for at in range(0, len(part), WINDOW)]
    return [sorted(window, key=lambda place: -found[place].size) for window in cut]
