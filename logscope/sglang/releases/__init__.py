"""The releases of SGLang in order, and ranges of them; one file of this folder says what one release changed.

A release that changed nothing that logscope knows of has no file here. Names are those of the package index; release
candidates and development builds are ordered like any other but are not listed, so that a range counts releases only.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from logscope.errors import NotApplicable, ReleaseDiffers, UsageError

T = TypeVar("T")

_POSTS = {  # final releases from 0.1.15 on, each with the number of its last post-release
    "0.1": "15 16 17 18 19 20 21 22 24 25 26",
    "0.2": "0 1 2 3 4 5 6 7 8 9.1 10 11 12 13 14.2 15",
    "0.3": "0 1.3 2 3.1 4.2 5.2 6.3",
    "0.4": "0.2 1.7 2.4 3.4 4.4 5.3 6.5 7.1 8.1 9.6 10.2",
    "0.5": "1.3 2 3.3 4.3 5.3 6.2 7 8.1 9 10.1 11 12.1 13.1 14 15.1 16 17 18 19 20 21 22 23",
}

_VERSION = re.compile(
    r"v?(?P<numbers>\d+(?:\.\d+)*)(?:[._-]?(?P<pre>a|b|rc)(?P<pre_n>\d+))?(?:[._-]?post(?P<post>\d+))?"
    r"(?:[._-]?dev(?P<dev>\d+))?(?:\+[\w.]+)?"
)
_STAGE = {"a": -3, "b": -2, "rc": -1}


@dataclass(frozen=True, slots=True, order=True)
class Release:
    """The place of one release in the order: `0.4.9rc1 < 0.4.9 < 0.4.9.post1 < 0.4.10`.

    A development build stands just before the release that its name holds; a local part (`+g1234abc`) is ignored.
    """

    numbers: tuple[int, int, int]
    stage: int
    serial: int
    final: bool

    @classmethod
    def of(cls, name: str) -> Release:
        """The release of that name; raises UsageError when it is not a version."""
        match = _VERSION.fullmatch(name.strip())
        if match is None:
            raise UsageError(f"{name!r} is not a version of SGLang; write it like 0.5.9 or 0.4.6.post5")
        parts = [int(p) for p in match["numbers"].split(".")][:3]
        numbers = [*parts, 0, 0, 0][:3]
        stage, serial = 0, 0
        if match["pre"]:
            stage, serial = _STAGE[match["pre"]], int(match["pre_n"])
        elif match["post"] is not None:
            stage, serial = 1, int(match["post"])
        elif match["dev"] is not None:
            stage, serial = -4, int(match["dev"])
        return cls((numbers[0], numbers[1], numbers[2]), stage, serial, match["dev"] is None)


@functools.lru_cache(maxsize=4096)
def order(name: str) -> Release:
    """The ordering key of a release's name."""
    return Release.of(name)


def _listed() -> tuple[str, ...]:
    names: list[str] = []
    for minor, patches in _POSTS.items():
        for patch in patches.split():
            number, _, posts = patch.partition(".")
            names.append(f"{minor}.{number}")
            names += [f"{minor}.{number}.post{n}" for n in range(1, int(posts or 0) + 1)]
    return tuple(names)


RELEASES = _listed()
FIRST, LAST = RELEASES[0], RELEASES[-1]
_ORDER = [order(name) for name in RELEASES]


@functools.lru_cache(maxsize=4096)
def between(lo: str = "", hi: str = "") -> tuple[str, ...]:
    """The listed releases from `lo` to `hi`, both included; "" leaves an end open."""
    start = bisect.bisect_left(_ORDER, order(lo)) if lo else 0
    stop = bisect.bisect_right(_ORDER, order(hi)) if hi else len(_ORDER)
    return RELEASES[start:stop]


def before(release: str) -> str:
    """The last listed release before this one; "" when there is none."""
    place = bisect.bisect_left(_ORDER, order(release))
    return RELEASES[place - 1] if place else ""


def after(release: str) -> str:
    """The first listed release after this one; "" when there is none."""
    place = bisect.bisect_right(_ORDER, order(release))
    return RELEASES[place] if place < len(RELEASES) else ""


@dataclass(frozen=True, slots=True)
class ReleaseRange:
    """The releases that may have printed a log: closed, "" leaves an end open; `how` says what it was read from."""

    lo: str = ""
    hi: str = ""
    how: str = ""

    def __contains__(self, release: str) -> bool:
        place = order(release)
        return (not self.lo or order(self.lo) <= place) and (not self.hi or place <= order(self.hi))

    @property
    def open(self) -> bool:
        """Whether nothing is known: both ends are open."""
        return not self.lo and not self.hi

    @property
    def empty(self) -> bool:
        """Whether no release can be in it: what was read contradicts itself."""
        return bool(self.lo and self.hi) and order(self.lo) > order(self.hi)

    @property
    def releases(self) -> tuple[str, ...]:
        """The listed releases in it; the nearest listed one for a range between two (a candidate, a build)."""
        inside = between(self.lo, self.hi)
        if inside or self.empty:
            return inside
        nearest = after(self.hi) or before(self.lo)
        return (nearest,)

    def meet(self, other: ReleaseRange) -> ReleaseRange:
        """What both ranges hold, with the reasons of those that narrow it."""
        lo = self.lo if not other.lo or (self.lo and order(self.lo) >= order(other.lo)) else other.lo
        hi = self.hi if not other.hi or (self.hi and order(self.hi) <= order(other.hi)) else other.hi
        reasons = [r.how for r in (self, other) if r.how and ((r.lo and r.lo == lo) or (r.hi and r.hi == hi))]
        return ReleaseRange(lo, hi, "; ".join(dict.fromkeys(reasons)))

    def since(self, release: str) -> bool:
        """Whether every release in it is this one or later."""
        return bool(self.lo) and order(self.lo) >= order(release)

    def until(self, release: str) -> bool:
        """Whether every release in it is this one or earlier."""
        return bool(self.hi) and order(self.hi) <= order(release)

    def ask(self, question: Callable[[str], T]) -> T:
        """The answer that every release of the range gives; raises ReleaseDiffers when they disagree."""
        answers: dict[T, str] = {}
        turns: list[str] = []
        last: T | None = None
        for release in self.releases:
            answer = question(release)
            if answers and answer != last:
                turns.append(release)
            answers.setdefault(answer, release)
            last = answer
        if len(answers) == 1:
            return next(iter(answers))
        if not answers:
            raise NotApplicable(f"no release fits: {self}")
        told = ", ".join(f"{answer} since {release}" for answer, release in list(answers.items())[:4])
        raise ReleaseDiffers(f"the release is only known as {self}, and the answer depends on it: {told}", tuple(turns))

    def split(self, turns: Iterable[str]) -> Iterator[ReleaseRange]:
        """The range cut before each of these releases; every piece is closed and holds at least one release."""
        cuts, piece = set(turns), list[str]()
        for release in self.releases:
            if release in cuts and piece:
                yield ReleaseRange(piece[0], piece[-1], self.how)
                piece = []
            piece.append(release)
        if piece:
            yield ReleaseRange(piece[0], piece[-1], self.how)

    def __str__(self) -> str:
        if self.open:
            return "any release"
        if self.lo == self.hi:
            return self.lo
        return f"{self.lo or '…'} to {self.hi or '…'}"


def exactly(release: str, how: str) -> ReleaseRange:
    """The range that holds one release."""
    return ReleaseRange(release, release, how)
