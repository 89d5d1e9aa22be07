"""A wrapper that is a prefix: one pattern finds it on a sample and takes it off a block.

Named groups: `time` is the wrapper's clock, `label` the process it names. What the pattern matches is taken off.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._clock import moment_ms
from logscope.wrappers._inner import begins, holds_stamp, speaks, written
from logscope.wrappers._lines import lines_of


@dataclass(frozen=True, slots=True)
class Hits:
    """How a prefix fits a sample: lines that hold something, lines with the prefix, and what stands behind it."""

    written: int
    fitting: int
    proven: int  # the rest begins as a record does, or speaks of what only a server's log speaks of
    stamped: int  # SGLang's own prefix stands in the rest
    bare: int  # lines that begin a record as they are

    @property
    def share(self) -> float:
        """Lines with the prefix among those that hold something."""
        return self.fitting / self.written if self.written else 0.0

    def told(self, what: str) -> str:
        """The reason in words."""
        return f"{self.fitting} of {self.written} lines begin with {what}; {self.proven} go on as lines of SGLang do"


class Prefix:
    """A prefix pattern (ASCII classes), for text and for bytes.

    `doubles=False`: what looks like the prefix before a record may be the record's own beginning.
    """

    def __init__(self, pattern: str, *, doubles: bool = True) -> None:
        self.doubles = doubles
        self.pattern = pattern

    @functools.cached_property
    def text(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.ASCII)

    @functools.cached_property
    def raw(self) -> re.Pattern[bytes]:
        return re.compile(self.pattern.encode())

    def hits(self, lines: Sequence[str]) -> Hits:
        """How the prefix fits these lines."""
        sample = written(lines)
        rests = [line[found.end() :] for line in sample if (found := self.text.match(line))]
        if not rests:
            return Hits(len(sample), 0, 0, 0, 0)
        bare = sum(1 for line in sample if begins(line) and not (self.doubles and self.text.match(line)))
        return Hits(len(sample), len(rests), sum(map(speaks, rests)), sum(map(holds_stamp, rests)), bare)

    def unwrap(self, block: Block, label: Callable[[re.Match[bytes]], str] | None = None) -> Block:
        """The block without the prefix; `label` names the process where it is not simply the group."""
        lines = lines_of(block)
        groups = self.raw.groupindex
        match = self.raw.match
        for place, text in enumerate(lines.texts):
            found = match(text)
            if found is None:
                continue
            lines.texts[place] = text[found.end() :]
            if "time" in groups and found["time"]:
                lines.time(place, moment_ms(found["time"]))
            if label is not None:
                lines.label(place, label(found))
            elif "label" in groups and found["label"]:
                lines.label(place, found["label"].decode(errors="replace"))
        return lines.block()


def plain(hits: Hits, what: str) -> Detection | None:
    """A detection of a prefix that nothing else prints: even a part of the lines is enough."""
    if not hits.fitting or hits.share < 0.02:
        return None
    sure = hits.proven > 0 or (hits.fitting >= 3 and hits.share > 0.8)
    return Detection("certain" if sure else "likely", hits.told(what))


def doubtful(hits: Hits, what: str, share: float = 0.7) -> Detection | None:
    """A detection of a prefix that other texts hold too: most lines have it, and records of SGLang stand behind it."""
    if hits.share < share or not hits.proven or hits.bare > 0.2 * hits.fitting:
        return None
    return Detection("certain" if hits.stamped and hits.share > 0.9 else "likely", hits.told(what))
